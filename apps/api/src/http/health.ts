import { poolUse, probe } from '@deal-signals/db/database';
import { createReadiness, describeReadiness } from '@deal-signals/runtime/readiness';
import { Router } from 'express';
import { ApiError } from './errors.ts';
import { note } from './request-log.ts';
import type { Dependencies } from './route.ts';

/**
 * Serves `/healthz` (the process is alive), `/readyz` (it can handle requests, or what is failing) and, unless they are
 * only on the admin port, `/metrics` (for Prometheus). Readiness does not depend on Redis, because the API works without it. None of the three waits for a
 * server that is down.
 */
export function createHealthRouter(
  { db, isDatabaseChecked, metrics }: Pick<Dependencies, 'db' | 'isDatabaseChecked' | 'metrics'>,
  { withMetrics }: { withMetrics: boolean },
): Router {
  const readiness = createReadiness([
    {
      name: 'database',
      look: async () => {
        if (!isDatabaseChecked()) return 'starting';
        await probe(db);
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
  if (!withMetrics) return router;
  router.get('/metrics', async (_request, response) => {
    note(response, { route: '/metrics' });
    const failing = await readiness();
    metrics.describeProcess({ isReady: failing.length === 0, pool: poolUse(db) });
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}

/** @throws ApiError SERVICE_UNAVAILABLE until the database has been reached and its settings have been verified. */
export function requireDatabase(isDatabaseChecked: () => boolean): void {
  if (!isDatabaseChecked()) {
    throw new ApiError('SERVICE_UNAVAILABLE', 'the service is starting; try again later', {
      headers: { 'Retry-After': '1' },
    });
  }
}
