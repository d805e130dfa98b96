import { Client } from 'pg';

/** Options of a listener. */
export interface ListenerOptions {
  /**
   * PostgreSQL connection URL. It must lead to a dedicated session, because a pooler in transaction mode cannot deliver
   * notifications.
   */
  url: string;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  channel: string;
  /** Statements to run in each new session before it listens. */
  prepare: readonly string[];
  /** Called for each notification, and when a session begins, because earlier notifications may have been missed. */
  onNotification: () => void;
  /** Called when the connection fails. The listener then reconnects. */
  onError: (error: Error) => void;
}

/** Listens until it is closed. */
export interface Listener {
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** The interval at which an idle connection is probed, and the time limit for the response. */
const PROBE_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

/** Listens to a channel of PostgreSQL over a dedicated connection, outside the pool, and reconnects automatically. */
export function listen(options: ListenerOptions): Listener {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;
  let isClosed = false;

  async function connect(): Promise<void> {
    const session = new Client({
      connectionString: options.url,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      keepAlive: true,
    });
    client = session;
    let isLost = false;
    const lose = (error: Error): void => {
      if (isLost) return;
      isLost = true;
      clearTimeout(timer);
      void endQuietly(session);
      if (isClosed) return;
      options.onError(error);
      timer = setTimeout(() => void connect(), retryMs);
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
    };
    const probe = async (): Promise<void> => {
      await session.query('SELECT 1');
      timer = setTimeout(() => void probe().catch(lose), PROBE_MS);
    };
    session.on('error', lose);
    session.on('end', () => lose(new Error('the listening connection has ended')));
    session.on('notification', options.onNotification);
    try {
      await session.connect();
      for (const statement of options.prepare) await session.query(statement);
      await session.query(`LISTEN ${session.escapeIdentifier(options.channel)}`);
      if (isLost || isClosed) return;
      retryMs = FIRST_RETRY_MS;
      options.onNotification();
      await probe();
    } catch (error) {
      lose(error as Error);
    }
  }

  void connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      if (client !== undefined) await endQuietly(client);
    },
  };
}

/** The connection may be broken already, which was reported before. */
async function endQuietly(session: Client): Promise<void> {
  await session.end().catch(() => {});
}
