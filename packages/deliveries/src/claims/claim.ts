/**
 * A delivery that a dispatcher has taken from the ready queue. Until the lease ends, only the holder of the token may write to
 * the delivery.
 */
export interface Claim {
  companyId: number;
  deliveryId: bigint;
  claimToken: string;
}

/** The limits of what a tick may claim. */
export interface ClaimLimits {
  /** Maximum deliveries in total. */
  batch: number;
  /** Maximum deliveries of one endpoint, including claims that are still held. */
  endpointLimit: number;
  /** Maximum deliveries of one workspace, including claims that are still held. */
  workspaceLimit: number;
  leaseMs: number;
}
