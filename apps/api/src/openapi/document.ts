import { API_VERSION } from '@deal-signals/outbox/event-types';
import { z } from 'zod';
import {
  createDocument,
  createSchema,
  type CreateDocumentOptions,
  type oas31,
  type ZodOpenApiOperationObject,
} from 'zod-openapi';
import { ADMIN_PERMISSION } from '../auth/session.ts';
import type { ManagementRoute, Route, Tag } from '../http/route.ts';
import { describeWebhookSources } from '../webhook-sources/serve.ts';
import { usedHeaders } from './headers.ts';
import { createResponses } from './responses.ts';
import { INTRODUCTION, SESSION_SCHEME, KEY_SCHEME, TAG_TEXTS } from './texts.ts';
import { describeWebhooks, EVENT_SCHEMAS } from './webhooks.ts';

const onlyIfChanged = z.object({
  'If-None-Match': z.string().optional().meta({
    description:
      'The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body',
  }),
});

/** The scope of a document. */
interface About {
  title: string;
  /** What applies to all operations, in Markdown. */
  introduction: string;
  /** Where the routes are served. */
  base: string;
  /** Whether the document describes the webhooks, too. */
  hasWebhooks: boolean;
}

/** The API for consumers, and its management. */
const INTEGRATION_API: About = {
  title: 'Deal Signals Integration API',
  introduction: INTRODUCTION,
  base: '/api/v1',
  hasWebhooks: true,
};

/** Builds an OpenAPI 3.1 document: the routes of a table with their schemas, and the webhooks. */
export function describeApi(
  routes: readonly Route[],
  { title, introduction, base, hasWebhooks }: About = INTEGRATION_API,
): oas31.OpenAPIObject {
  const tags = new Set<string>([...routes.map(({ tag }) => tag), ...(hasWebhooks ? ['Webhooks'] : [])]);
  const responsesOf = createResponses();
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: { ...describeRoute(route), responses: responsesOf(route) },
    };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title,
        version: API_VERSION,
        description: introduction,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: base }],
      tags: Object.entries(TAG_TEXTS)
        .filter(([name]) => tags.has(name))
        .map(([name, description]) => ({ name, description })),
      paths: { ...paths, ...(hasWebhooks && describeWebhookSources()) },
      ...(hasWebhooks && { webhooks: describeWebhooks() }),
      components: {
        headers: usedHeaders(routes),
        securitySchemes: {
          ...(routes.some(({ access }) => access !== 'session') && {
            // Not `apiKey`: generators create a type for each name, and there is a schema `ApiKey`.
            apiKeyAuth: { type: 'http', scheme: 'bearer', description: KEY_SCHEME },
          }),
          adminSession: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: SESSION_SCHEME,
          },
        },
      },
    },
    { override: publish },
  );
  if (!hasWebhooks) return document;
  const schemas = { ...document.components?.schemas, ...eventSchemas() };
  return { ...document, components: { ...document.components, schemas } };
}

/**
 * Returns the schemas of webhook bodies and of the objects in them. The library describes every request body as input, where
 * fields with a default are optional. The API sends these bodies itself, so they are described as output, like responses.
 */
function eventSchemas(): Record<string, oas31.SchemaObject | oas31.ReferenceObject> {
  const { schema, components } = createSchema(z.object(EVENT_SCHEMAS), {
    io: 'output',
    opts: { override: publish },
  });
  return { ...components, ...('properties' in schema ? schema.properties : {}) };
}

function describeRoute(route: Route): Omit<ZodOpenApiOperationObject, 'responses'> {
  return {
    operationId: route.operationId,
    tags: [route.tag satisfies Tag],
    summary: route.summary,
    description: [route.description ?? [], rightsOf(route)].flat().join('\n\n'),
    ...(route.sunset && { deprecated: true }),
    security: [
      ...(route.access === 'key' ? [] : [{ adminSession: permissionsOf(route) }]),
      ...(route.access === 'session' ? [] : [{ apiKeyAuth: route.scope === null ? [] : [route.scope] }]),
    ],
    requestParams: {
      ...(route.params && { path: route.params }),
      ...(route.query && { query: route.query }),
      ...(route.method === 'GET' && { header: onlyIfChanged }),
    },
    ...(route.callbacks && { callbacks: route.callbacks }),
    ...(route.body && {
      requestBody: {
        required: route.isBodyOptional !== true,
        content: { 'application/json': { schema: route.body, example: route.bodyExample } },
      },
    }),
  };
}

/** Describes what a credential needs for a route: OpenAPI 3.1 also lists it in `security`, where not every reader looks. */
function rightsOf(route: Route): string {
  if (route.access === 'key')
    return route.scope === null
      ? 'Any API key may call it.'
      : `An API key needs the scope \`${route.scope}\`.`;
  const session = [
    'A session',
    ...permissionsOf(route).map((name) => `with the permission \`${name}\``),
  ].join(' ');
  const key = route.access === 'session' ? '' : `, or an API key with the scope \`${route.scope}\``;
  return `${session}${key} may call it.`;
}

function permissionsOf(route: ManagementRoute): string[] {
  return route.access === 'session' && route.isForAnySession ? [] : [ADMIN_PERMISSION];
}

/** Adjusts the output of the schema library before it is published. */
const publish: CreateDocumentOptions['override'] = ({ jsonSchema }) => {
  // New fields may be added at any time, so clients must not rely on the absence of others.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // The format is sufficient; the long pattern would only distract.
  if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date') delete jsonSchema.pattern;
  // The range of safe integers in JavaScript, which is not a limit of the API.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // The keys of a JSON object are always strings, so only their pattern is useful.
  const { propertyNames } = jsonSchema;
  if (typeof propertyNames === 'object' && propertyNames.pattern === undefined)
    delete jsonSchema.propertyNames;
};
