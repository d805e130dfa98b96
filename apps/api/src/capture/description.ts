import { API_VERSION } from '@deal-signals/outbox/event-types';
import { z } from 'zod';
import { createDocument, type oas31, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { NDJSON } from '../http/responses/lines.ts';
import { type CaptureErrorCode, STATUS_OF_CAPTURE_CODE } from './errors.ts';
import { captureParameters } from './parameters.ts';

const INTRODUCTION = `How the product's own back end sends records. This port is not part of the public API: \`/api/v1\` is read-only, has other credentials, and is open to consumers, whereas this port belongs on loopback or on an internal network.

A record is a JSON object on a line of its own; \`/records.schema.json\` is its JSON Schema. Sending a record again changes nothing and causes no webhook, so records that were not confirmed can be sent again.`;

const RECORDS_TEXT = `Send any number of lines, in one request or as a stream that stays open. They are stored in transactions of up to 1,000 records of one workspace, after 200 ms at the latest. The next lines are only read when those before are stored and their results are read.

The response has one line of JSON for each result, in the order of the lines, as soon as it is known:

- \`{"committed": N}\`: every line up to \`N\` is dealt with. Its record is stored, unless an earlier line of the response refuses it. In a dry run the name is \`checked\`.
- \`{"line": N, "errors": [{"field", "message"}]}\`: the record of this line is refused. An error with \`"code": "RATE_LIMITED"\` is about an erasure for which the workspace has too many others under way: send the record again later. If it is the first line, the status is 429, with \`Retry-After\`.
- \`{"done": true, "captured", "unchanged", "refused"}\`: the last line. It counts the records that changed something, those that changed nothing, and those that were refused. In a dry run, \`validated\` counts the records after the first 1,000 of their workspace, which were not checked against what is stored.
- \`{"error", "code"}\`: the last line if the request has failed. Send the lines after the last \`committed\` again.

A response without a last line was cut, and means the same as one with an error. Read the response while you send, because nothing more is read from a sender that leaves many results unread.`;

const MEANINGS: Record<CaptureErrorCode, string> = {
  INVALID_REQUEST: 'A parameter is unknown or has an invalid value',
  CAPTURE_TOKEN_INVALID: 'The token is missing or not one of `CAPTURE_TOKENS`',
  NOT_FOUND: 'The path is unknown',
  METHOD_NOT_ALLOWED: 'The path does not allow the method; `Allow` lists those that it does',
  REQUEST_TIMEOUT: 'Nothing has arrived for too long',
  UNSUPPORTED_MEDIA_TYPE: 'The records are compressed',
  RATE_LIMITED:
    'Too many requests with records are in progress, or the first record is an erasure and the workspace has too many under way; try again after `Retry-After` seconds',
  INTERNAL_ERROR: 'A fault of this service',
  SERVICE_UNAVAILABLE:
    'The database is unavailable, another transaction is writing to the workspace for too long, or the service is starting or stopping; try again after `Retry-After` seconds',
};

const captureHeaders = z.object({
  traceparent: z.string().optional().meta({
    description:
      'W3C Trace Context. The webhooks of the events that the records cause belong to this trace. An invalid value is ignored',
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  }),
});

/** The codes that `POST /records` can respond with. */
const ERROR_CODES = (Object.keys(STATUS_OF_CAPTURE_CODE) as CaptureErrorCode[]).filter(
  (code) => code !== 'NOT_FOUND' && code !== 'METHOD_NOT_ALLOWED',
);

const EXAMPLE_RECORD =
  '{"record":"event","companyId":1001,"key":"visit-1","type":"room_visit","occurredAt":"2026-09-01T12:00:00Z",' +
  '"distributionId":"11111111-1111-4111-8111-111111111111"}\n';

/** Builds the OpenAPI 3.1 document of the capture port. */
export function describeCapture(): oas31.OpenAPIObject {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Deal Signals Capture',
      version: API_VERSION,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [{ name: 'Records', description: 'What happens during a sale, as the product records it.' }],
    security: [{ captureToken: [] }],
    paths: {
      '/records': {
        post: {
          operationId: 'captureRecords',
          tags: ['Records'],
          summary: 'Capture records',
          description: RECORDS_TEXT,
          security: [{ captureToken: [] }],
          requestParams: { query: captureParameters, header: captureHeaders },
          requestBody: {
            required: true,
            content: { [NDJSON]: { schema: z.string(), example: EXAMPLE_RECORD } },
          },
          responses: {
            200: lines(
              'The results, line by line',
              '{"committed":1}\n{"done":true,"captured":1,"unchanged":0,"refused":0}\n',
            ),
            422: lines(
              'The first record is refused, and nothing is stored. With `onError=continue`, the status is 200',
              '{"line":1,"errors":[{"field":"type","message":"Invalid input: expected string, received undefined"}]}\n' +
                '{"done":true,"captured":0,"unchanged":0,"refused":1}\n',
            ),
            ...failures(),
          },
        },
      },
    },
    components: {
      securitySchemes: {
        captureToken: { type: 'http', scheme: 'bearer', description: 'One of `CAPTURE_TOKENS`.' },
      },
    },
  });
}

function lines(description: string, example: string) {
  return { description, content: { [NDJSON]: { schema: z.string(), example } } };
}

function failures(): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    ERROR_CODES.map((code) => [
      String(STATUS_OF_CAPTURE_CODE[code]),
      {
        description: `\`${code}\`: ${MEANINGS[code]}`,
        content: {
          'application/json': {
            schema: z.object({
              error: z.string().meta({ description: 'Human-readable message; its wording may change' }),
              code: z.enum([code]).meta({ description: 'Machine-readable error code; stable' }),
            }),
          },
        },
      },
    ]),
  );
}
