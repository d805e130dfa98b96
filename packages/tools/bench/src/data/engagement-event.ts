import type { CaptureInput } from '@deal-signals/capture/records/record';

/** The share link that every event of a delivery workspace comes through. */
export const LINK = '00000000-0000-4000-8000-000000000003';
/** Brings the body of an `engagement.recorded` delivery to about 1 KB. */
const PADDING = 'a prospect looked at this page for a while and scrolled to the end of it. '.repeat(6).trim();

/** Returns an event of a workspace. `n` is in its metadata, and therefore in the body of its deliveries. */
export function engagementEvent(companyId: number, key: string, n: number) {
  return {
    record: 'event',
    companyId,
    key,
    type: 'room_visit',
    occurredAt: '2026-09-01T12:00:00Z',
    distributionId: LINK,
    metadata: { n, note: PADDING },
  } satisfies CaptureInput;
}
