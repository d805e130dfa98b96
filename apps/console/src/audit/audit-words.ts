/** What is recorded, and what it is called. The enumeration is open: others are shown by their own names. */
const ACTIONS: Record<string, string> = {
  'api_key.created': 'Created an API key',
  'api_key.rotated': 'Rotated an API key',
  'api_key.revoked': 'Revoked an API key',
  'webhook.created': 'Registered an endpoint',
  'webhook.updated': 'Changed an endpoint',
  'webhook.removed': 'Removed an endpoint',
  'webhook.disabled': 'Disabled an endpoint',
  'webhook.secret_rotated': 'Rotated a signing secret',
  'webhook.pinged': 'Sent a test event',
  'webhook.url_tested': 'Tested a URL',
  'delivery.retried': 'Retried a delivery',
  'deliveries.retried': 'Retried dead deliveries',
  'deliveries.dismissed': 'Dismissed dead deliveries',
  'delivery.resent': 'Sent an event again',
  'deliveries.resent': 'Sent events again',
  'erasure.requested': 'Erased a person or a room',
  'request.refused': 'Was refused',
};

/** The kinds of objects that the log can be restricted to. */
export const OBJECT_TYPES = [
  { value: 'webhook', label: 'Endpoint' },
  { value: 'api_key', label: 'API key' },
  { value: 'delivery', label: 'Delivery' },
  { value: 'erasure', label: 'Erasure' },
  { value: 'operation', label: 'Operation' },
] as const;

/** The actions as the entries of a choice. */
export const ACTION_CHOICES = Object.entries(ACTIONS).map(([value, label]) => ({ value, label }));

/** What was done, in words. */
export function actionName(action: string): string {
  return ACTIONS[action] ?? action;
}

/** An object in words, such as "Endpoint 3". */
export function objectName(type: string, id: string): string {
  return `${OBJECT_TYPES.find(({ value }) => value === type)?.label ?? type} ${id}`;
}
