/**
 * What an alert channel can be told. These are no event types of webhooks: nothing of them reaches an endpoint, whatever it subscribes
 * to.
 */
export const ALERT_EVENTS = [
  'endpoint.failing',
  'endpoint.disabled',
  'endpoint.recovered',
  'deliveries.dead',
] as const;

/** The name of something that an alert channel can be told. */
export type AlertEvent = (typeof ALERT_EVENTS)[number];

/** The kinds of alert channels. */
export const ALERT_CHANNEL_KINDS = ['slack', 'teams', 'webhook'] as const;

/** The form in which an alert channel is told. */
export type AlertChannelKind = (typeof ALERT_CHANNEL_KINDS)[number];

/** How many alert channels a workspace may have. */
export const MAX_ALERT_CHANNELS = 5;

/** Stands for the operator among the channels of every workspace. */
export const OPERATOR_CHANNEL = 0;
