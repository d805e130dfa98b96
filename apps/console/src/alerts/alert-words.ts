import type { components, paths } from '../api/generated/integration.ts';

/** An alert channel. */
export type AlertChannel = components['schemas']['AlertChannel'];
/** The body that adds one. */
type NewChannel = paths['/alert-channels']['post']['requestBody']['content']['application/json'];
export type ChannelKind = NewChannel['kind'];
export type AlertEvent = NonNullable<NewChannel['events']>[number];

/** The kinds of channels, and where each gets its URL. */
export const KINDS: readonly { value: ChannelKind; label: string; about: string }[] = [
  { value: 'slack', label: 'Slack', about: 'The URL of an incoming webhook of a Slack app.' },
  {
    value: 'teams',
    label: 'Microsoft Teams',
    about: 'The URL of a workflow of Teams that posts to a channel when it receives a webhook.',
  },
  { value: 'webhook', label: 'Webhook', about: 'A URL of yours that gets signed JSON.' },
];

/** What a channel can be told, and when that is. */
export const EVENTS: readonly { value: AlertEvent; label: string; about: string }[] = [
  {
    value: 'endpoint.failing',
    label: 'An endpoint is failing',
    about: 'At half and at nine tenths of what disables it.',
  },
  { value: 'endpoint.disabled', label: 'An endpoint was disabled', about: 'By its failures or a 410.' },
  {
    value: 'endpoint.recovered',
    label: 'An endpoint has recovered',
    about: 'It accepts deliveries again after it was failing, or after somebody enabled it.',
  },
  { value: 'deliveries.dead', label: 'Deliveries were given up', about: 'All their attempts have failed.' },
];

/** The name of a kind. The enumeration is open: others are shown by their own names. */
export const kindName = (kind: string) => KINDS.find(({ value }) => value === kind)?.label ?? kind;

/** What an event means, in a few words. */
export const eventName = (event: string) => EVENTS.find(({ value }) => value === event)?.label ?? event;
