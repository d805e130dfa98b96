/**
 * A delivery that a dispatcher has taken out of the ready queue. Only the holder of the token may write to the delivery,
 * until the lease ends.
 */
export interface Claim {
  companyId: number;
  deliveryId: bigint;
  claimToken: string;
}
