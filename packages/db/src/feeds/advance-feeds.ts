import type { Database } from '../database.ts';

/** Far more than any workspace records between two backups, and nothing against the eighteen digits of an id. */
const ID_GAP = 1_000_000_000;
/** More than the clocks of two database servers may differ by. */
const CLOCK_MARGIN_SECONDS = 300;

/** Where the feeds go on. */
export interface AdvancedFeeds {
  /** The last id of each sequence that will not be handed out. */
  sequences: Record<string, bigint>;
  /** How many workspaces' clocks were moved. */
  clocks: number;
}

/**
 * Moves every feed past the cursors that may have been handed out before commits were lost.
 *
 * After a restore, or a failover to a replica that lagged, the sequences and clocks stand where they stood earlier, while
 * consumers hold cursors from later. What is recorded now would get positions behind those cursors and never be read. A
 * gap in the ids and clocks set to the present, plus a margin, put everything new in front of every cursor again.
 *
 * Run it before the first writer is let in. Running it twice is harmless.
 */
export function advanceFeeds(db: Database): Promise<AdvancedFeeds> {
  return db.$transaction(async (tx) => {
    const sequences = await tx.$queryRaw<{ name: string; last: bigint }[]>`
      SELECT sequencename AS name,
             setval(format('%I.%I', schemaname, sequencename)::regclass,
                    coalesce(last_value, start_value) + ${ID_GAP}::bigint) AS last
      FROM pg_sequences
      WHERE schemaname = current_schema()
        AND sequencename IN
          ('engagement_events_id_seq', 'engagement_views_id_seq', 'webhook_deliveries_id_seq', 'audit_records_id_seq')
      ORDER BY sequencename`;
    const clocks = await tx.$executeRaw`
      UPDATE feed_clocks
      SET at = greatest(at, date_trunc('milliseconds', clock_timestamp()))
               + ${CLOCK_MARGIN_SECONDS}::int * interval '1 second'`;
    return { sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])), clocks };
  });
}
