import { poolUse } from '@deal-signals/db/database';
import { createReadiness, describeReadiness } from '@deal-signals/runtime/readiness';
import { Router } from 'express';
import { ApiError } from './errors.ts';
import { note } from './request-log.ts';
import type { Dependencies } from './route.ts';

/**
 * `/healthz` says that the process is alive and `/readyz` that it can do its work, or else what is wrong. Redis is no part
 * of that: without it the API goes on. `/metrics` is for Prometheus. None of the three waits for a server that is away.
 */
export function createHealthRouter({ db, isDatabaseChecked, metrics }: Dependencies): Router {
  const readiness = createReadiness([
    {
      name: 'database',
      look: async () => {
        if (!isDatabaseChecked()) return 'starting';
        await db.$queryRaw`SELECT 1 AS one`;
        return null;
      },
    },
  ]);
  const router = Router();
  router.get('/healthz', (_request, response) => {
    note(response, { route: '/healthz' });
    response.json({ ok: true });
  });
  router.get('/readyz', async (_request, response) => {
    note(response, { route: '/readyz' });
    const failing = await readiness();
    const isReady = failing.length === 0;
    if (!isReady) note(response, { failing });
    response.status(isReady ? 200 : 503).json(describeReadiness(failing));
  });
  router.get('/metrics', async (_request, response) => {
    note(response, { route: '/metrics' });
    const failing = await readiness();
    metrics.describeProcess({ isReady: failing.length === 0, pool: poolUse(db) });
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}

/** @throws ApiError SERVICE_UNAVAILABLE until the database has been reached for the first time and found right. */
export function requireDatabase(isDatabaseChecked: () => boolean): void {
  if (!isDatabaseChecked()) {
    throw new ApiError('SERVICE_UNAVAILABLE', 'the service is starting, try again later', {
      headers: { 'Retry-After': '1' },
    });
  }
}
