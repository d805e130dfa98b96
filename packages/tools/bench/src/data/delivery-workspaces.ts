import { Database } from '@deal-signals/db/database';
import { secretKeys } from '@deal-signals/sending/secrets/secret-keys';
import { encryptSigningSecret } from '@deal-signals/sending/secrets/signing-secret';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import type { BenchStack } from '../stack/bench-stack.ts';
import { LINK } from './engagement-event.ts';

/** The signing secret of every endpoint of the bench. */
export const SIGNING_SECRET = 'whsec_4Zq0G6mMZm3cXoKbnQvJ8yQ0aWn1tT5sD2rL7uEhVxA';
/** Deliveries to this URL stay pending, because no worker runs. */
const NOWHERE = 'https://127.0.0.1:1/';

/** Workspaces, each with one room and one share link. */
export interface DeliveryWorkspaces {
  databaseUrl: string;
  db: Database;
  /** Adds a workspace with endpoints that subscribe to engagement events. */
  add: (companyId: number, urls?: readonly string[]) => Promise<void>;
}

/** Creates a database for workspaces. With `keepPlans`, its connections reuse query plans, as those of a worker do. */
export async function openDeliveryWorkspaces(
  stack: BenchStack,
  name: string,
  keepPlans = false,
): Promise<DeliveryWorkspaces> {
  const databaseUrl = await stack.createDatabase(name);
  const db = new Database({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'bench',
    statementTimeoutMs: 600_000,
    keepPlans,
  });
  const keys = secretKeys.parse(stack.secretsKey);
  return {
    databaseUrl,
    db,
    async add(companyId, urls = [NOWHERE]) {
      await capture(
        db,
        { record: 'company', id: companyId, name: `Workspace ${companyId}` },
        ...(
          [
            { record: 'user', id: 1, name: 'Sam Seller', email: 'sam@seller.example' },
            { record: 'room', id: uuid(1), name: 'Globex', ownerId: 1 },
            {
              record: 'distribution',
              id: LINK,
              roomId: uuid(1),
              recipientName: 'Bob Buyer',
              recipientEmail: 'bob@globex.example',
            },
          ] as const
        ).map((record) => ({ ...record, companyId })),
      );
      const secretCiphertext = encryptSigningSecret(keys, companyId, SIGNING_SECRET);
      const events = ['engagement.recorded'];
      for (const url of urls)
        await db.webhookEndpoint.create({ data: { companyId, url, events, secretCiphertext } });
    },
  };
}
