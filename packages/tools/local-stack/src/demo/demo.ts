import { Database } from '@deal-signals/db/database';
import { seedDemo } from '@deal-signals/demo/quarter/seed';
import {
  type DemoReceiver,
  type ReceivedDelivery,
  startDemoReceiver,
} from '@deal-signals/demo/receiver/receiver';
import { startSimulation } from '@deal-signals/demo/story/simulation';
import type { Stack } from '../files/stack-file.ts';
import type { Closers } from '../processes/closers.ts';
import { type CertificateAuthority, issueCertificate } from '../servers/certificates.ts';
import { onFreePort } from '../servers/ports.ts';
import { openCompanyAccess } from './demo-access.ts';
import { ADMIN_PERMISSION, type SessionParties, signSessionToken } from './sign-session-token.ts';

export interface DemoOptions {
  folder: string;
  apiUrl: string;
  databaseUrl: string;
  /** Signs the demo's session tokens. */
  sessionSecret: string;
  /** The issuer and the audience of the demo's session tokens. */
  sessionParties: SessionParties;
  receiver: DemoReceiver;
  closers: Closers;
  say: (line: string) => void;
}

export interface Demo {
  /** The demo workspaces. The live sale takes place in the first one. */
  companies: Stack['companies'];
  /** A record of the first workspace that causes a webhook when it is captured. */
  firstRecord: object | undefined;
  /** Starts the live sale. Call it at most once. */
  beginStory: () => void;
}

const RECEIVER_HOST = '127.0.0.1';
const RECEIVER_PORT = 14_443;
const POOL_SIZE = 4;
const STATEMENT_TIMEOUT_MS = 60_000;
/** Long enough for a stack that keeps running for several days. */
const SESSION_TTL_SECONDS = 24 * 60 * 60;

/** Starts the demo's HTTPS receiver with a certificate from the local authority. */
export function startReceiver(options: {
  authority: CertificateAuthority;
  onDelivery: (delivery: ReceivedDelivery) => void;
}): Promise<DemoReceiver> {
  return onFreePort(RECEIVER_PORT, async (port) => {
    const certificate = await issueCertificate(options.authority, [RECEIVER_HOST, 'localhost']);
    return startDemoReceiver({ ...certificate, port, onDelivery: options.onDelivery });
  });
}

/** Captures the demo's data and sets up an API key, a session token and an endpoint for each workspace. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { folder, apiUrl, receiver, closers, say } = options;
  const db = new Database({
    url: options.databaseUrl,
    poolSize: POOL_SIZE,
    applicationName: 'deal-signals-demo',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  closers.add("the demo's database connections", () => db.close());
  say("Capturing the demo's data …");
  let written = 0;
  const seeded = await seedDemo(db, (count) => (written += count));
  if (written > 0) say(`${written.toLocaleString('en')} records captured.`);

  const companies: Stack['companies'] = [];
  for (const { id, name } of seeded) {
    const admin = await db.user.findFirst({ where: { companyId: id }, orderBy: { id: 'asc' } });
    const claims = { companyId: id, permissions: [ADMIN_PERMISSION], ttlSeconds: SESSION_TTL_SECONDS };
    const session = { ...claims, userId: admin?.id ?? 1 };
    const sessionToken = signSessionToken(session, options.sessionSecret, options.sessionParties);
    const access = { folder, apiUrl, companyId: id, sessionToken, receiverUrl: receiver.url };
    const { apiKey, signingSecret } = await openCompanyAccess(access);
    receiver.addSecret(signingSecret);
    companies.push({ id, name, apiKey, sessionToken });
  }

  const [first] = companies;
  return {
    companies,
    firstRecord: first && (await firstRecordOf(db, first.id)),
    beginStory() {
      if (first === undefined) return;
      const onError = (error: unknown) => say(`A step of the live sale failed: ${(error as Error).message}`);
      const simulation = startSimulation({ db, companyId: first.id, onError });
      closers.add('the live sale', () => simulation.stop());
    },
  };
}

/**
 * Returns a visit through one of the workspace's share links. Its key is new at every start, because a known event causes no
 * webhook.
 */
async function firstRecordOf(db: Database, companyId: number): Promise<object | undefined> {
  const link = await db.distribution.findFirst({
    where: { companyId, callId: null },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
  if (link === null) return undefined;
  const occurredAt = `${new Date().toISOString().slice(0, 19)}Z`;
  return {
    record: 'event',
    companyId,
    key: `hello-${occurredAt}`,
    type: 'room_visit',
    occurredAt,
    distributionId: link.id,
    metadata: { title: 'your record' },
  };
}
