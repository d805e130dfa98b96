import express, { type Express, Router } from 'express';
import helmet from 'helmet';
import { CONSOLE_API_PATH, CONSOLE_PATH, createConsoleRouter } from './console/router.ts';
import { CONSOLE_ROUTES } from './console/routes.ts';
import { leadToDocs } from './docs/router.ts';
import { compressLargeResponses } from './http/responses/compression.ts';
import { errorHandler, refusePath } from './http/errors.ts';
import { createHealthRouter, requireDatabase } from './http/health.ts';
import { parseQueryString } from './http/input.ts';
import { createRateLimit, limitHeaders, type RateLimit } from './http/limits/rate-limit.ts';
import { RequestGuard } from './http/request-guard.ts';
import { requestLog } from './http/request-log.ts';
import { admin, type Dependencies, manage, type RateLimits, read, type Route } from './http/route.ts';
import { createRouter } from './http/router.ts';
import { serveResourceMetadata } from './mcp/resource-metadata.ts';
import { createMcpRouter, MCP_ROUTE } from './mcp/router.ts';
import { createDescriptionRouter } from './openapi/router.ts';
import {
  createAlertChannel,
  listAlertChannels,
  removeAlertChannel,
  testAlertChannel,
  updateAlertChannel,
} from './routes/alert-channels.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './routes/api-keys.ts';
import { listAuditRecords } from './routes/audit-log.ts';
import { getCall, listCalls } from './routes/feeds/calls.ts';
import { getRoom, listRooms } from './routes/feeds/decision-rooms.ts';
import { getDistribution, listDistributions } from './routes/feeds/distributions.ts';
import { getDocument, listDocuments } from './routes/feeds/documents.ts';
import { listEngagementEvents } from './routes/feeds/engagement-events.ts';
import { listEngagementViews } from './routes/feeds/engagement-views.ts';
import { listErasures } from './routes/feeds/erasures.ts';
import { getEsignDocument, listEsignDocuments } from './routes/feeds/esign-documents.ts';
import { getHeatmap } from './routes/heatmaps.ts';
import { getPerson, listPeople } from './routes/feeds/people.ts';
import { getRoomMetrics } from './routes/room-metrics.ts';
import { listRoomScores } from './routes/feeds/room-scores.ts';
import { getStatus } from './routes/status.ts';
import { getDelivery, listDeliveries } from './routes/webhook-deliveries.ts';
import { getEndpointDelivery, listEndpointDeliveries } from './routes/webhooks/deliveries.ts';
import { dismissDeadDeliveries } from './routes/webhooks/dismissals.ts';
import { updateWebhook } from './routes/webhooks/endpoints/change.ts';
import { createWebhook } from './routes/webhooks/endpoints/create.ts';
import { getWebhook, listWebhooks } from './routes/webhooks/endpoints/read.ts';
import { removeWebhook } from './routes/webhooks/endpoints/remove.ts';
import { rotateWebhookSecret } from './routes/webhooks/endpoints/rotate-secret.ts';
import { pingWebhook } from './routes/webhooks/ping.ts';
import { replayMissingEvents } from './routes/webhooks/replays.ts';
import { resendEndpointDeliveries, resendEndpointDelivery } from './routes/webhooks/resends.ts';
import { retryDeadDeliveries, retryEndpointDelivery } from './routes/webhooks/retries.ts';
import { testWebhookFilter } from './routes/webhooks/test-filter.ts';
import { testWebhookUrl } from './routes/webhooks/url-test.ts';
import { createWebhookSourcesRouter } from './webhook-sources/serve.ts';

/** Every route below `/api/v1`, with its credential and scope. The router and the OpenAPI document are built from this table. */
export const ROUTES: readonly Route[] = [
  read('/status', null, getStatus),
  read('/calls', 'read:calls', listCalls),
  read('/calls/:id', 'read:calls', getCall),
  read('/engagement/events', 'read:engagement', listEngagementEvents),
  read('/engagement/views', 'read:engagement', listEngagementViews),
  read('/decision-rooms', 'read:rooms', listRooms),
  read('/decision-rooms/:id', 'read:rooms', getRoom),
  read('/decision-rooms/:id/metrics', 'read:rooms', getRoomMetrics),
  read('/room-scores', 'read:rooms', listRoomScores),
  read('/people', 'read:rooms', listPeople),
  read('/people/:id', 'read:rooms', getPerson),
  read('/documents', 'read:rooms', listDocuments),
  read('/documents/:id', 'read:rooms', getDocument),
  read('/esign-documents', 'read:rooms', listEsignDocuments),
  read('/esign-documents/:id', 'read:rooms', getEsignDocument),
  read('/distributions', 'read:engagement', listDistributions),
  read('/distributions/:id', 'read:engagement', getDistribution),
  read('/distributions/:id/heatmap', 'read:engagement', getHeatmap),
  read('/erasures', null, listErasures),
  read('/webhook-deliveries', 'read:deliveries', listDeliveries),
  read('/webhook-deliveries/:id', 'read:deliveries', getDelivery),

  admin('GET', '/api-keys', listApiKeys),
  admin('POST', '/api-keys', createApiKey),
  admin('DELETE', '/api-keys/:id', revokeApiKey),
  admin('POST', '/api-keys/:id/rotate', rotateApiKey),
  admin('GET', '/alert-channels', listAlertChannels),
  admin('POST', '/alert-channels', createAlertChannel),
  admin('PATCH', '/alert-channels/:id', updateAlertChannel),
  admin('DELETE', '/alert-channels/:id', removeAlertChannel),
  admin('POST', '/alert-channels/:id/test', testAlertChannel),
  manage('GET', '/webhooks', listWebhooks),
  manage('POST', '/webhooks', createWebhook),
  admin('POST', '/webhooks/test', testWebhookUrl),
  admin('POST', '/webhooks/test-filter', testWebhookFilter),
  manage('GET', '/webhooks/:id', getWebhook),
  admin('PATCH', '/webhooks/:id', updateWebhook),
  manage('DELETE', '/webhooks/:id', removeWebhook),
  admin('POST', '/webhooks/:id/rotate-secret', rotateWebhookSecret),
  manage('POST', '/webhooks/:id/ping', pingWebhook),
  admin('GET', '/webhooks/:id/deliveries', listEndpointDeliveries),
  admin('GET', '/webhooks/:id/deliveries/:deliveryId', getEndpointDelivery),
  admin('POST', '/webhooks/:id/deliveries/:deliveryId/retry', retryEndpointDelivery),
  admin('POST', '/webhooks/:id/deliveries/:deliveryId/resend', resendEndpointDelivery),
  admin('POST', '/webhooks/:id/resend', resendEndpointDeliveries),
  manage('POST', '/webhooks/:id/replay-missing', replayMissingEvents),
  admin('POST', '/webhooks/:id/retry-dead', retryDeadDeliveries),
  admin('POST', '/webhooks/:id/dismiss-dead', dismissDeadDeliveries),
  admin('GET', '/audit-log', listAuditRecords),
];

/** Creates the application of the admin port: health and metrics. */
export function createAdminApp(deps: Dependencies): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(requestLog(deps.logger, deps.metrics.observeRequest));
  app.use(createHealthRouter(deps, { withMetrics: true }));
  app.use(refusePath);
  app.use(errorHandler);
  return app;
}

/** Creates the Express application. A request passes through the middleware in the order below. */
export function createApp(deps: Dependencies): Express {
  const { keyUsage, metrics, redis, settings } = deps;
  const limitOf = (perMinute: number, name = 'rate-limit'): RateLimit =>
    createRateLimit(
      redis,
      `${settings.redisPrefix}:${name}`,
      perMinute,
      settings.rateLimitDeadlineMs,
      (requests) => {
        metrics.countedLocally.inc(requests);
        metrics.redisErrors.inc();
      },
    );
  const rateLimits: RateLimits = {
    perKey: limitOf(settings.rateLimitPerMinute),
    management: {
      perUser: limitOf(settings.managementPerMinute.user),
      perWorkspace: limitOf(settings.managementPerMinute.workspace),
    },
    console: {
      perUser: limitOf(settings.console.perMinute.user, 'console-limit'),
      perWorkspace: limitOf(settings.console.perMinute.workspace, 'console-limit'),
    },
    pings: limitOf(settings.pingsPerMinute, 'ping-limit'),
  };
  const guard = new RequestGuard({ ...deps, rateLimits });
  metrics.expectRequests([
    ...ROUTES,
    MCP_ROUTE,
    ...CONSOLE_ROUTES.map((route) => ({ ...route, path: `${CONSOLE_API_PATH}${route.path}` })),
  ]);
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', parseQueryString);
  app.set('trust proxy', settings.trustedProxies);

  app.use(
    requestLog(deps.logger, (request) => {
      metrics.observeRequest(request);
      keyUsage.count(request);
    }),
  );
  app.use(helmet());
  app.use(createHealthRouter(deps, { withMetrics: settings.adminPort === null }));
  app.use(compressLargeResponses());
  const api = Router({ caseSensitive: true, strict: true });
  api.use(limitHeaders(settings.rateLimitPerMinute));
  api.use(createDescriptionRouter(ROUTES));
  api.use(createWebhookSourcesRouter(settings.webhookSources));
  api.use(requireDatabase(deps.isDatabaseChecked));
  api.use(createRouter(ROUTES, guard));
  app.use('/api/v1', api);
  app.use(MCP_ROUTE.path, createMcpRouter(guard));
  if (settings.oauth !== null) app.use(serveResourceMetadata(settings.oauth));
  app.use(CONSOLE_PATH, createConsoleRouter(guard));
  app.all('/', leadToDocs);
  app.use(refusePath);
  app.use(errorHandler);
  return app;
}
