import type { InputOf } from '../random/timeline.ts';

/** How far a deal has progressed. */
export type Stage = 'discovery' | 'demo' | 'evaluation' | 'contract';

/** The status of a contract. */
export type EsignStatus = NonNullable<InputOf<'esign'>['status']>;

/** The fixed facts of a deal. Everything else is drawn at random. */
export type DealOutline = readonly [
  status: 'open' | 'won' | 'lost' | 'dormant',
  stage: Stage,
  /** Days since the first call, and since the buyers' last activity, which is also when a closed deal was closed. */
  ageDays: number,
  quietDays: number,
  /** How much attention the buyers pay: all of them repeatedly, some of them, or hardly any. */
  attention: 'close' | 'some' | 'scant',
  /** Status of the contract, if one was sent, and whether it replaced a version that was voided. */
  contract?: EsignStatus,
  replaced?: 'replaced',
];

/** One workspace's quarter. */
export interface QuarterPlan {
  workspaceId: number;
  /** Number of recordings in the quarter, including those without a room. */
  calls: number;
  deals: readonly DealOutline[];
}

/** Every room status and every contract status occurs. */
export const QUARTER_PLANS: readonly QuarterPlan[] = [
  {
    workspaceId: 1001,
    calls: 124,
    deals: [
      ['open', 'contract', 74, 0, 'close', 'signed_partial'],
      ['open', 'contract', 66, 1, 'close', 'viewed'],
      ['open', 'contract', 58, 2, 'some', 'delivered'],
      ['open', 'contract', 61, 0, 'close', 'sent', 'replaced'],
      ['open', 'evaluation', 47, 1, 'close'],
      ['open', 'evaluation', 39, 6, 'some'],
      ['open', 'evaluation', 52, 12, 'scant'],
      ['open', 'demo', 24, 0, 'some'],
      ['open', 'demo', 31, 4, 'scant'],
      ['open', 'demo', 44, 19, 'scant'],
      ['open', 'discovery', 9, 1, 'close'],
      ['open', 'discovery', 5, 0, 'scant'],
      ['won', 'contract', 88, 3, 'close', 'completed'],
      ['won', 'contract', 83, 11, 'close', 'completed'],
      ['won', 'contract', 90, 24, 'some', 'completed', 'replaced'],
      ['won', 'contract', 79, 30, 'some', 'completed'],
      ['won', 'contract', 86, 41, 'close', 'completed'],
      ['lost', 'contract', 77, 9, 'some', 'declined'],
      ['lost', 'contract', 81, 16, 'scant', 'voided'],
      ['lost', 'evaluation', 63, 21, 'some'],
      ['lost', 'demo', 55, 33, 'scant'],
      ['dormant', 'evaluation', 85, 46, 'some'],
      ['dormant', 'demo', 71, 38, 'scant'],
      ['dormant', 'demo', 90, 60, 'scant'],
    ],
  },
  {
    workspaceId: 1002,
    calls: 26,
    deals: [
      ['open', 'contract', 41, 0, 'close', 'viewed'],
      ['open', 'demo', 20, 2, 'some'],
      ['open', 'discovery', 8, 1, 'close'],
      ['won', 'contract', 62, 7, 'close', 'completed'],
      ['lost', 'contract', 57, 18, 'scant', 'declined'],
      ['dormant', 'demo', 76, 44, 'scant'],
    ],
  },
];
