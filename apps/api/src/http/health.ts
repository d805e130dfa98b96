import { createReadiness, describeReadiness } from '@deal-signals/runtime/readiness';
import { type RequestHandler, Router } from 'express';
import { ApiError } from './errors.ts';
import { addLogFields } from './request-log.ts';
import type { Dependencies } from './route.ts';

type HealthDependencies = Pick<
  Dependencies,
  'db' | 'isDatabaseChecked' | 'isStopping' | 'schema' | 'metrics' | 'logger'
>;

/**
 * Serves `/healthz` (the process is alive), `/readyz` (it can handle requests, or what is failing) and, unless it is only on the
 * admin port, `/metrics` (for Prometheus). Readiness does not depend on Redis, because the API works without it. A stopping
 * process is not ready, so that load balancers remove it before it closes its port. None of the three waits for a server that is
 * down.
 */
export function createHealthRouter(
  { db, isDatabaseChecked, isStopping, schema, metrics, logger }: HealthDependencies,
  { withMetrics }: { withMetrics: boolean },
): Router {
  const readiness = createReadiness([
    { name: 'draining', run: async () => (isStopping() ? 'draining' : null) },
    {
      name: 'database',
      run: async () => {
        if (!isDatabaseChecked()) return schema.missing().length > 0 ? 'migrations' : 'starting';
        await db.probe();
        return null;
      },
    },
    {
      name: 'migrations',
      run: async () => {
        if (!isDatabaseChecked()) return null;
        return (await schema.askIfInDoubt(db)).length > 0 ? 'migrations' : null;
      },
    },
  ]);
  let said = '';
  /**
   * Checks the readiness, and logs it if it has changed since the last probe. A process that starts or stops is expectedly not
   * ready, and logs that itself.
   */
  async function checkReadiness(): Promise<string[]> {
    const failing = await readiness();
    if (isStopping() || !isDatabaseChecked()) return failing;
    const words = failing.join();
    if (words !== said) {
      if (words === '') logger.info('api ready again');
      else logger.warn('api not ready', { failing });
      said = words;
    }
    return failing;
  }
  const router = Router();
  router.get('/healthz', (_request, response) => {
    addLogFields(response, { route: '/healthz' });
    response.json({ ok: true });
  });
  router.get('/readyz', async (_request, response) => {
    addLogFields(response, { route: '/readyz' });
    const failing = await checkReadiness();
    const isReady = failing.length === 0;
    if (!isReady) addLogFields(response, { failing });
    response.status(isReady ? 200 : 503).json(describeReadiness(failing, schema.missing()));
  });
  if (!withMetrics) return router;
  router.get('/metrics', async (_request, response) => {
    addLogFields(response, { route: '/metrics' });
    const failing = await checkReadiness();
    metrics.describeProcess({ failing, pool: db.use() });
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}

/** Rejects requests until the database has been reached and its settings have been verified. */
export function requireDatabase(isDatabaseChecked: () => boolean): RequestHandler {
  return (_request, _response, next) => {
    if (isDatabaseChecked()) return next();
    throw new ApiError('SERVICE_UNAVAILABLE', 'the service is starting; try again later', {
      headers: { 'Retry-After': '1' },
    });
  };
}
