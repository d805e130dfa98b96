import { Router } from 'express';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { refuseMethods } from '../http/errors.ts';
import { addLogFields } from '../http/request-log.ts';
import { ALWAYS, describeHeaders } from '../openapi/headers.ts';
import { type WebhookSources, webhookSources } from './settings.ts';

const PATH = '/webhook-sources';
/** An hour: receivers that update a firewall from it learn of planned addresses days before. */
const CACHE_CONTROL = 'public, max-age=3600';

/** Serves `GET /webhook-sources` without a key: the addresses are no data of a workspace, and the same for all. */
export function createWebhookSourcesRouter(sources: WebhookSources): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(PATH, (_request, response) => {
    addLogFields(response, { route: PATH });
    response.set('Cache-Control', CACHE_CONTROL).json(sources);
  });
  router.all(PATH, refuseMethods('GET, HEAD'));
  return router;
}

/** Describes `GET /webhook-sources` in OpenAPI. */
export function describeWebhookSources(): ZodOpenApiPathsObject {
  return {
    [PATH]: {
      get: {
        operationId: 'getWebhookSources',
        tags: ['Webhook endpoints'],
        summary: 'List the addresses that webhooks come from',
        description:
          'Returns the addresses for the firewall of a receiver. It needs no key, and may be cached for an hour. The signature of a delivery remains the proof of where it comes from.',
        security: [],
        responses: {
          200: {
            description: 'Success',
            headers: describeHeaders([...ALWAYS, 'ETag']),
            content: {
              'application/json': {
                schema: webhookSources,
                example: {
                  addresses: ['192.0.2.16/28', '2001:db8:17::/64'],
                  plannedAddresses: ['192.0.2.16/28', '198.51.100.0/28', '2001:db8:17::/64'],
                  plannedFrom: '2027-02-01',
                } satisfies WebhookSources,
              },
            },
          },
          400: { description: '`INVALID_REQUEST`: the request is not valid HTTP' },
        },
      },
    },
  };
}
