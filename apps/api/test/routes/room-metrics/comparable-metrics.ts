import type { RoomMetrics } from '@deal-signals/serializers/room-metrics/schema';
import type { plainRoomMetrics } from './plain-room-metrics.ts';

type PlainMetrics = Awaited<ReturnType<typeof plainRoomMetrics>>;

/** Converts the product's metrics and the plain ones into one form, which only omits the order of lists. */
export function comparable(metrics: RoomMetrics, plain: PlainMetrics) {
  return {
    metrics: {
      engagementScore: metrics.engagementScore,
      totals: metrics.totals,
      stakeholders: sorted(
        metrics.stakeholders.map(({ email, name: _name, personId: _id, ...rest }) => ({ email, ...rest })),
      ),
      trailers: sorted(metrics.trailers),
      assets: sorted(metrics.assets),
      actionPlan: metrics.actionPlan,
      conversation: metrics.conversation,
      esignStatus: metrics.esign.status,
      esignDocuments: metrics.esign.documents.map(({ id }) => id),
    },
    plain: {
      ...plain,
      // People without an email are distinguished by their activity.
      stakeholders: sorted(
        plain.stakeholders.map(({ who, ...rest }) => ({
          email: who.includes('@') ? who : null,
          ...rest,
        })),
      ),
      trailers: sorted(plain.trailers),
      assets: sorted(plain.assets),
    },
  };
}

/** Sorts objects by their content, regardless of the order of their keys. */
function sorted<T extends object>(items: T[]): T[] {
  const textOf = (item: T) => JSON.stringify(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return items.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}
