import type { Database } from '../database.ts';

/** Far more than all workspaces record between two backups, and tiny compared with the eighteen digits of an id. */
const ID_GAP = 1_000_000_000;
/** More than the clocks of two database servers may differ. */
const CLOCK_MARGIN_SECONDS = 300;

/** Where the feeds continue. */
export interface AdvancedFeeds {
  /** For each sequence, the last id that it skips. */
  sequences: Record<string, bigint>;
  /** How many workspaces' clocks were moved. */
  clocks: number;
}

/**
 * Moves every feed past the cursors that consumers may hold from before commits were lost.
 *
 * After a restore, or a failover to a lagging replica, the sequences and clocks are back at an earlier value, while
 * consumers hold later cursors. New records would get positions behind those cursors, and nobody would ever read them. A
 * gap in the ids, and clocks set to the present plus a margin, put new records after every cursor again.
 *
 * Run it before anything writes; nothing else can connect until it has run, if the server says that it was restored or promoted.
 * Running it twice is harmless.
 *
 * @param db opened with `usesAnyServer`.
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
    // From here on, the processes use this server.
    await tx.$executeRaw`
      UPDATE database_identity
      SET system_identifier = current_system_identifier(), timeline = current_timeline(), known_since = now()`;
    return { sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])), clocks };
  });
}
