/**
 * A delivery that a dispatcher has taken out of the ready queue. Only the holder of the token may write to the delivery,
 * until the lease ends.
 */
export interface Claim {
  companyId: number;
  deliveryId: bigint;
  claimToken: string;
}

/** How much a tick may claim. */
export interface ClaimLimits {
  /** Deliveries in all. */
  batch: number;
  /** Deliveries of one endpoint, including those whose claims are still held. */
  endpointLimit: number;
  /** Deliveries of one workspace, including those whose claims are still held. */
  workspaceLimit: number;
  leaseMs: number;
}
