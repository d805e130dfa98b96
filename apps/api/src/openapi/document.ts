import { API_VERSION } from '@deal-signals/outbox/event-types';
import { z } from 'zod';
import {
  createDocument,
  createSchema,
  type CreateDocumentOptions,
  type oas31,
  type ZodOpenApiOperationObject,
} from 'zod-openapi';
import type { Route, Tag } from '../http/route.ts';
import { usedHeaders } from './headers.ts';
import { createResponses } from './responses.ts';
import { INTRODUCTION, SESSION_SCHEME, KEY_SCHEME, TAG_TEXTS } from './texts.ts';
import { describeWebhooks, EVENT_SCHEMAS } from './webhooks.ts';

const onlyIfChanged = z.object({
  'If-None-Match': z.string().optional().meta({
    description: 'The `ETag` of an earlier answer: 304 without a body comes back while it is still true',
  }),
});

/** Describes the API in OpenAPI 3.1: the routes of a table with the schemas that they work with, and the webhooks. */
export function describeApi(routes: readonly Route[]): oas31.OpenAPIObject {
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
        title: 'Deal Signals Integration API',
        version: API_VERSION,
        description: INTRODUCTION,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/api/v1' }],
      tags: Object.entries(TAG_TEXTS).map(([name, description]) => ({ name, description })),
      paths,
      webhooks: describeWebhooks(),
      components: {
        headers: usedHeaders(routes),
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: KEY_SCHEME },
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
  const schemas = { ...document.components?.schemas, ...eventSchemas() };
  return { ...document, components: { ...document.components, schemas } };
}

/**
 * The bodies of webhooks and what they are made of. The library takes every request body for something that is read, in
 * which fields with a default may be missing; these are sent, so they are described like responses.
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
    ...(route.description !== undefined && { description: route.description }),
    ...(route.sunset && { deprecated: true }),
    security: [{ [route.access === 'key' ? 'apiKey' : 'adminSession']: [] }],
    requestParams: {
      ...(route.params && { path: route.params }),
      ...(route.query && { query: route.query }),
      ...(route.method === 'GET' && { header: onlyIfChanged }),
    },
    ...(route.body && {
      requestBody: {
        required: route.isBodyOptional !== true,
        content: { 'application/json': { schema: route.body, example: route.bodyExample } },
      },
    }),
  };
}

/** What a schema is published as, where that is not what the schema library would write. */
const publish: CreateDocumentOptions['override'] = ({ jsonSchema }) => {
  // New fields may be added at any time, so nobody is to rely on there being no others.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // These formats say it all; their patterns would only hide the rest.
  if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date') delete jsonSchema.pattern;
  // The range of every integer in JavaScript, which limits nobody.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // Keys of a JSON object are text anyway.
  delete jsonSchema.propertyNames;
};
