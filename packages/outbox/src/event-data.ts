// The `data` of the events that show no object of a feed.

/** `data` of a `webhook.endpoint.disabled`. */
export interface EndpointDisabled {
  endpointId: number;
  /** Host and port. The rest of a URL is often a secret of its receiver, and this goes to other receivers. */
  host: string;
  reason: string;
  /** The reason in words, as the endpoint shows it. */
  disabledReason: string;
  disabledAt: string;
  consecutiveFailures: number;
}

/** The `message` of a test event. */
export const TEST_MESSAGE = 'This is a test event: somebody has asked whether this endpoint works.';
