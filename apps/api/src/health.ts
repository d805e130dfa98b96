import { Router } from 'express';
import { ApiError } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { note } from './request-log.ts';
import type { Dependencies } from './route.ts';

/**
 * `/healthz` says that the process is alive and `/readyz` that it can do its work. Redis is no part of that: without it
 * the API goes on. `/metrics` is for Prometheus.
 */
export function createHealthRouter({ db, isDatabaseChecked }: Dependencies, { registry }: Metrics): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    note(response, { route: '/healthz' });
    response.json({ ok: true });
  });
  router.get('/readyz', async (_request, response) => {
    note(response, { route: '/readyz' });
    requireDatabase(isDatabaseChecked);
    await db.$queryRaw`SELECT 1 AS one`;
    response.json({ ok: true });
  });
  router.get('/metrics', async (_request, response) => {
    note(response, { route: '/metrics' });
    response.type(registry.contentType).send(await registry.metrics());
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
