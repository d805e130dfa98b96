import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { PrismaClient } from '@deal-signals/db/generated/client';
import { deliveryHeaders } from '@deal-signals/sending/delivery-headers';
import { PrismaPg } from '@prisma/adapter-pg';
import axios from 'axios';
import { optionsOfParent, serveParent } from '../stack/child.ts';

// What one would write first: read what is pending, post it with axios as it comes, and record each outcome in a transaction.
// There are no claims, so only one process may run.

/** What the naive worker needs to know. */
export interface NaiveWorkerOptions {
  databaseUrl: string;
  poolSize: number;
  caFile: string;
  secret: string;
}

/** How many deliveries to send before it stops. */
export interface NaiveWork {
  count: number;
}

const BATCH = 100;

const options = optionsOfParent() as NaiveWorkerOptions;
const prisma = new PrismaClient({
  adapter: new PrismaPg({
    connectionString: options.databaseUrl,
    max: options.poolSize,
    options: '-c timezone=UTC',
  }),
  transactionOptions: { maxWait: 60_000, timeout: 60_000 },
});
const httpsAgent = new Agent({ ca: readFileSync(options.caFile) });

function readPending() {
  return prisma.webhookDelivery.findMany({
    where: { status: 'pending' },
    orderBy: { id: 'asc' },
    take: BATCH,
    include: { event: true, endpoint: true },
  });
}

type Pending = Awaited<ReturnType<typeof readPending>>[number];

async function deliver(delivery: Pending): Promise<void> {
  const { companyId, id, eventId, eventType, endpointId, event, endpoint } = delivery;
  const startedAt = new Date();
  const headers = deliveryHeaders({
    deliveryId: id,
    eventId,
    eventType,
    body: event.body,
    secret: options.secret,
    at: startedAt,
  });
  const { status } = await axios.post(endpoint.url, event.body, { headers, httpsAgent });
  const deliveredAt = new Date();
  const durationMs = deliveredAt.getTime() - startedAt.getTime();
  await prisma.$transaction([
    prisma.webhookDelivery.update({
      where: { companyId_id: { companyId, id } },
      data: {
        status: 'delivered',
        attempts: { increment: 1 },
        deliveredAt,
        nextAttemptAt: null,
        ready: false,
        lastStatusCode: status,
      },
    }),
    prisma.webhookAttempt.create({
      data: { companyId, deliveryId: id, number: 1, startedAt, durationMs, statusCode: status },
    }),
    prisma.webhookEndpoint.update({
      where: { companyId_id: { companyId, id: endpointId } },
      data: { consecutiveFailures: 0, lastSuccessAt: deliveredAt },
    }),
  ]);
}

async function work({ count }: NaiveWork): Promise<object> {
  for (let delivered = 0; delivered < count;) {
    const pending = await readPending();
    await Promise.all(pending.map(deliver));
    delivered += pending.length;
  }
  return {};
}

serveParent(work);
