/** The events of alert channels. They are not event types of webhooks, so no endpoint receives them. */
export const ALERT_EVENTS = [
  'endpoint.failing',
  'endpoint.disabled',
  'endpoint.recovered',
  'deliveries.dead',
] as const;

/** The name of an event of alert channels. */
export type AlertEvent = (typeof ALERT_EVENTS)[number];

/** The kinds of alert channels. */
export const ALERT_CHANNEL_KINDS = ['slack', 'teams', 'webhook'] as const;

/** The kind of an alert channel, which decides the form of its messages. */
export type AlertChannelKind = (typeof ALERT_CHANNEL_KINDS)[number];

/** The maximum number of alert channels of a workspace. */
export const MAX_ALERT_CHANNELS = 5;

/** The channel id of alerts for the operator, in every workspace. */
export const OPERATOR_CHANNEL = 0;
