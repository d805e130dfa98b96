import type { ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';

/** The number of changes in the week. */
export const WEEK_STEPS = 300;

const ESIGN = ['sent', 'viewed', 'completed'] as const;

/**
 * Returns the next change of an invented week: a new deal, or a change of an existing one.
 *
 * @param step the number of the change, from 0.
 */
export function changeOfWeek(step: number, random: (limit: number) => number): ShortRecord[] {
  const at = new Date(Date.UTC(2026, 8, 1) + step * 2_000_000).toISOString();
  const deal = random(Math.floor(step / 30) + 1);
  const [room, call, link] = [uuid(1_000 + deal), uuid(2_000 + deal), uuid(3_000 + deal)];
  const seller = 1 + (deal % 3);
  const named = { record: 'room', id: room, name: `Prospect ${deal}` } as const;
  if (step % 30 === 0) {
    const fresh = step / 30;
    return [
      { record: 'user', id: 1 + (fresh % 3), name: `Seller ${fresh}`, email: 'seller@acme.example' },
      { record: 'room', id: uuid(1_000 + fresh), name: `Prospect ${fresh}`, ownerId: 1 + (fresh % 3) },
      {
        record: 'call',
        id: uuid(2_000 + fresh),
        kind: 'demo',
        occurredAt: at,
        ownerId: 1 + (fresh % 3),
        durationSeconds: 600,
        roomId: uuid(1_000 + fresh),
      },
      {
        record: 'distribution',
        id: uuid(3_000 + fresh),
        roomId: uuid(1_000 + fresh),
        recipientName: 'Bob',
        recipientEmail: 'bob@globex.example',
        callId: uuid(2_000 + fresh),
      },
    ];
  }
  const kinds: (() => ShortRecord)[] = [
    () => ({ ...named, status: (['open', 'won', 'lost', 'dormant'] as const)[random(4)] }),
    () => ({ ...named, dealValueCents: random(1_000_000) }),
    () => ({ ...named, slug: `slug-${random(100)}` }),
    () => ({ record: 'user', id: seller, name: `Seller ${random(50)}`, email: 'seller@acme.example' }),
    () => ({
      record: 'call',
      id: call,
      kind: 'demo',
      occurredAt: at,
      ownerId: seller,
      title: `Title ${step}`,
    }),
    () => ({ record: 'callSummary', callId: call, summary: { headline: `Version ${random(5)}` } }),
    () => ({ record: 'event', key: `e${step}`, type: 'trailer_view', occurredAt: at, distributionId: link }),
    () => ({
      record: 'view',
      key: `v${step}`,
      distributionId: link,
      startedAt: at,
      endedAt: at,
      segments: [[0, random(600)]],
    }),
    () => ({
      record: 'message',
      key: `m${step}`,
      roomId: room,
      side: 'prospect',
      sentAt: at,
      distributionId: link,
    }),
    () => ({
      record: 'esign',
      id: `c${deal}`,
      roomId: room,
      vendor: 'v',
      envelopeId: 'e',
      status: ESIGN[random(3)] ?? 'sent',
    }),
    () => ({
      record: 'document',
      id: uuid(4_000 + deal),
      roomId: room,
      title: `T${random(9)}`,
      category: 'c',
    }),
    () => ({
      record: 'distribution',
      id: link,
      recipientName: 'B',
      recipientEmail: `b${random(4)}@globex.example`,
    }),
    () => ({
      record: 'member',
      roomId: room,
      email: `b${random(4)}@globex.example`,
      role: `Role ${random(3)}`,
    }),
  ];
  return [(kinds[random(kinds.length)] as () => ShortRecord)()];
}
