// The `data` of the events that do not show an object of a feed.

/** The `data` of a `webhook.endpoint.disabled` event. */
export interface EndpointDisabled {
  endpointId: number;
  /** Host and port only: the rest of a URL is often a secret of its receiver, and other receivers get this event. */
  host: string;
  reason: string;
  /** The reason as a sentence, as the endpoint shows it. */
  disabledReason: string;
  disabledAt: string;
  consecutiveFailures: number;
}

/** The `message` of a test event. */
export const TEST_MESSAGE = 'This is a test event, sent to check that this endpoint works.';
