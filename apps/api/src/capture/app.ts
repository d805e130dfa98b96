import { setMaxListeners } from 'node:events';
import { captureJsonSchema } from '@deal-signals/capture/records/json-schema';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { createHealthRouter } from '../http/health.ts';
import { parseQueryString } from '../http/input.ts';
import { addLogFields, requestLog } from '../http/request-log.ts';
import type { Dependencies } from '../http/route.ts';
import { describeCapture } from './description.ts';
import { CaptureError, captureErrorHandler } from './errors.ts';
import { type RecordDependencies, receiveRecords } from './records.ts';

/** Dependencies of the capture port. */
export interface CaptureDependencies
  extends RecordDependencies, Pick<Dependencies, 'logger' | 'isDatabaseChecked' | 'schema'> {}

/**
 * Creates the application of the capture port. It shares only the process with the public API; the port, the credentials and the
 * database connections are separate. So `/api/v1` stays read-only.
 */
export function createCaptureApp(deps: CaptureDependencies): Express {
  const { metrics, logger, shutdown } = deps;
  // Each request in progress adds a listener.
  setMaxListeners(0, shutdown.closing);
  metrics.expectRequests([{ method: 'POST', path: '/records' }]);
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', parseQueryString);
  app.use(requestLog(logger, metrics.observeRequest));
  app.use(helmet());
  app.use(
    createHealthRouter({ ...deps, isStopping: () => shutdown.stopping.aborted }, { withMetrics: false }),
  );
  serveJson(app, '/openapi.json', describeCapture());
  serveJson(app, '/records.schema.json', captureJsonSchema());
  app.post('/records', noteRoute('/records'), requireStarted(deps), receiveRecords(deps));
  app.all('/records', refuseMethods('POST'));
  app.use(() => {
    throw new CaptureError('NOT_FOUND', 'not found');
  });
  app.use(captureErrorHandler);
  return app;
}

/** Serves a description of this port. */
function serveJson(app: Express, path: string, document: object): void {
  // All responses share these bytes.
  const json = Buffer.from(JSON.stringify(document));
  app.get(path, noteRoute(path), (_request, response) => {
    response.type('json').send(json);
  });
  app.all(path, refuseMethods('GET, HEAD'));
}

function noteRoute(route: string): RequestHandler {
  return (_request, response, next) => {
    addLogFields(response, { route });
    next();
  };
}

function requireStarted({ isDatabaseChecked }: CaptureDependencies): RequestHandler {
  return (_request, _response, next) => {
    if (!isDatabaseChecked()) throw new CaptureError('SERVICE_UNAVAILABLE', 'the service is starting');
    next();
  };
}

function refuseMethods(allowed: string): RequestHandler {
  return () => {
    throw new CaptureError('METHOD_NOT_ALLOWED', `this path allows only ${allowed}`, {
      headers: { Allow: allowed },
    });
  };
}
