import type { components, paths } from '../api/generated/integration.ts';

/** An alert channel. */
export type AlertChannel = components['schemas']['AlertChannel'];
/** The body of the request that adds a channel. */
type NewChannel = paths['/alert-channels']['post']['requestBody']['content']['application/json'];
export type ChannelKind = NewChannel['kind'];
export type AlertEvent = NonNullable<NewChannel['events']>[number];

/** The kinds of channels, with where an admin finds the URL. */
export const KINDS: readonly { value: ChannelKind; label: string; about: string }[] = [
  { value: 'slack', label: 'Slack', about: 'The URL of an incoming webhook of a Slack app.' },
  {
    value: 'teams',
    label: 'Microsoft Teams',
    about: 'The URL of a workflow of Teams that posts to a channel when it receives a webhook.',
  },
  { value: 'webhook', label: 'Webhook', about: 'The URL of your own program, which gets signed JSON.' },
];

/** The events of channels, with when they happen. */
export const EVENTS: readonly { value: AlertEvent; label: string; about: string }[] = [
  {
    value: 'endpoint.failing',
    label: 'An endpoint is failing',
    about: 'At half and at nine tenths of the failures that disable it.',
  },
  { value: 'endpoint.disabled', label: 'An endpoint was disabled', about: 'By its failures or a 410.' },
  {
    value: 'endpoint.recovered',
    label: 'An endpoint has recovered',
    about: 'It accepts deliveries again after it was failing or was enabled again.',
  },
  { value: 'deliveries.dead', label: 'Deliveries were given up', about: 'All their attempts have failed.' },
];

/** Returns the name of a kind. The enumeration is open, so an unknown kind is shown as it is. */
export const kindName = (kind: string) => KINDS.find(({ value }) => value === kind)?.label ?? kind;

/** Returns the name of an event. An unknown event is shown as it is. */
export const eventName = (event: string) => EVENTS.find(({ value }) => value === event)?.label ?? event;
