import type { InputOf } from '../draw/timeline.ts';

/** How far a deal has progressed. */
export type Stage = 'discovery' | 'demo' | 'evaluation' | 'contract';

/** The status of a contract. */
export type EsignStatus = NonNullable<InputOf<'esign'>['status']>;

/** What is fixed about a deal. Everything else is drawn at random. */
export interface DealOutline {
  status: 'open' | 'won' | 'lost' | 'dormant';
  stage: Stage;
  /** Days since the first call. */
  ageDays: number;
  /** Days since the buyers' last activity, which is also when a closed deal was closed. */
  quietDays: number;
  /** How much the buyers look at. Left out: all of them do, again and again. */
  attention?: 'some' | 'scant';
  /** Status of the contract; undefined if none was sent. */
  contract?: EsignStatus;
  /** Whether an earlier version of the contract was voided. */
  replacedContract?: boolean;
}

/** The deals of the large workspace. Every room status and every contract status occurs. */
const LARGE_QUARTER: readonly DealOutline[] = [
  { status: 'open', stage: 'contract', ageDays: 74, quietDays: 0, contract: 'signed_partial' },
  { status: 'open', stage: 'contract', ageDays: 66, quietDays: 1, contract: 'viewed' },
  { status: 'open', stage: 'contract', ageDays: 58, quietDays: 2, attention: 'some', contract: 'delivered' },
  { status: 'open', stage: 'contract', ageDays: 61, quietDays: 0, contract: 'sent', replacedContract: true },
  { status: 'open', stage: 'evaluation', ageDays: 47, quietDays: 1 },
  { status: 'open', stage: 'evaluation', ageDays: 39, quietDays: 6, attention: 'some' },
  { status: 'open', stage: 'evaluation', ageDays: 52, quietDays: 12, attention: 'scant' },
  { status: 'open', stage: 'demo', ageDays: 24, quietDays: 0, attention: 'some' },
  { status: 'open', stage: 'demo', ageDays: 31, quietDays: 4, attention: 'scant' },
  { status: 'open', stage: 'demo', ageDays: 44, quietDays: 19, attention: 'scant' },
  { status: 'open', stage: 'discovery', ageDays: 9, quietDays: 1 },
  { status: 'open', stage: 'discovery', ageDays: 5, quietDays: 0, attention: 'scant' },
  { status: 'won', stage: 'contract', ageDays: 88, quietDays: 3, contract: 'completed' },
  { status: 'won', stage: 'contract', ageDays: 83, quietDays: 11, contract: 'completed' },
  {
    status: 'won',
    stage: 'contract',
    ageDays: 90,
    quietDays: 24,
    attention: 'some',
    contract: 'completed',
    replacedContract: true,
  },
  { status: 'won', stage: 'contract', ageDays: 79, quietDays: 30, attention: 'some', contract: 'completed' },
  { status: 'won', stage: 'contract', ageDays: 86, quietDays: 41, contract: 'completed' },
  { status: 'lost', stage: 'contract', ageDays: 77, quietDays: 9, attention: 'some', contract: 'declined' },
  { status: 'lost', stage: 'contract', ageDays: 81, quietDays: 16, attention: 'scant', contract: 'voided' },
  { status: 'lost', stage: 'evaluation', ageDays: 63, quietDays: 21, attention: 'some' },
  { status: 'lost', stage: 'demo', ageDays: 55, quietDays: 33, attention: 'scant' },
  { status: 'dormant', stage: 'evaluation', ageDays: 85, quietDays: 46, attention: 'some' },
  { status: 'dormant', stage: 'demo', ageDays: 71, quietDays: 38, attention: 'scant' },
  { status: 'dormant', stage: 'demo', ageDays: 90, quietDays: 60, attention: 'scant' },
];

/** The deals of the small workspace. */
const SMALL_QUARTER: readonly DealOutline[] = [
  { status: 'open', stage: 'contract', ageDays: 41, quietDays: 0, contract: 'viewed' },
  { status: 'open', stage: 'demo', ageDays: 20, quietDays: 2, attention: 'some' },
  { status: 'open', stage: 'discovery', ageDays: 8, quietDays: 1 },
  { status: 'won', stage: 'contract', ageDays: 62, quietDays: 7, contract: 'completed' },
  { status: 'lost', stage: 'contract', ageDays: 57, quietDays: 18, attention: 'scant', contract: 'declined' },
  { status: 'dormant', stage: 'demo', ageDays: 76, quietDays: 44, attention: 'scant' },
];

/** One workspace's quarter. */
export interface QuarterPlan {
  workspaceId: number;
  deals: readonly DealOutline[];
  /** Number of recordings in the quarter, including those without a room. */
  calls: number;
}

export const QUARTER_PLANS: readonly QuarterPlan[] = [
  { workspaceId: 1001, deals: LARGE_QUARTER, calls: 124 },
  { workspaceId: 1002, deals: SMALL_QUARTER, calls: 26 },
];
