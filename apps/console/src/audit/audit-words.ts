/** The labels of the recorded actions. The enumeration is open: unknown actions are shown by their API names. */
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
  'alert_channel.created': 'Added an alert channel',
  'alert_channel.updated': 'Changed an alert channel',
  'alert_channel.removed': 'Removed an alert channel',
  'alert_channel.tested': 'Tested an alert channel',
  'deliveries.replayed': 'Sent the events that an endpoint missed',
  'erasure.requested': 'Erased a person or a room',
  'request.refused': 'Was refused',
};

/** The kinds of objects that the log can be filtered by. */
export const OBJECT_TYPES = [
  { value: 'webhook', label: 'Endpoint' },
  { value: 'api_key', label: 'API key' },
  { value: 'delivery', label: 'Delivery' },
  { value: 'alert_channel', label: 'Alert channel' },
  { value: 'erasure', label: 'Erasure' },
  { value: 'operation', label: 'Operation' },
] as const;

/** The actions as options of a select. */
export const ACTION_CHOICES = Object.entries(ACTIONS).map(([value, label]) => ({ value, label }));

/** Returns the label of an action. */
export function actionName(action: string, { enabled, changed }: Record<string, unknown> = {}): string {
  // Enabling and disabling are changes of one field.
  if (
    action === 'webhook.updated' &&
    Array.isArray(changed) &&
    changed.length === 1 &&
    typeof enabled === 'boolean'
  )
    return enabled ? 'Enabled an endpoint' : 'Disabled an endpoint';
  return ACTIONS[action] ?? action;
}

/** The object id in a record of a URL test without an endpoint. */
const NO_ENDPOINT = '0';

/** Returns the label of an object, such as "Endpoint 3". */
export function objectName(type: string, id: string, details: Record<string, unknown> = {}): string {
  if (type === 'webhook' && id === NO_ENDPOINT) {
    const { host } = details;
    return typeof host === 'string' ? host : 'No endpoint';
  }
  return `${OBJECT_TYPES.find(({ value }) => value === type)?.label ?? type} ${id}`;
}
