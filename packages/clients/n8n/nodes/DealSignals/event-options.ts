// Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.
export const EVENT_OPTIONS = [
  { name: 'Call Recorded', value: 'call.recorded' },
  { name: 'Call Summary Created', value: 'call.summary.created' },
  { name: 'Contract Updated', value: 'decision_room.esign.updated' },
  { name: 'Engagement Recorded', value: 'engagement.recorded' },
  { name: 'Room Created', value: 'decision_room.created' },
  { name: 'Room Updated', value: 'decision_room.updated' },
  { name: 'View Recorded', value: 'engagement.view.recorded' },
];
