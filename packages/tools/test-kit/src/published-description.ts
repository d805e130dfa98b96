import formats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** A response of the API, as it was sent. */
export interface SentResponse {
  /** Method of the request. */
  method: string;
  /** Path and query of the request, including that of the server. */
  path: string;
  status: number;
  headers: Readonly<Record<string, unknown>>;
  /** The decompressed body. */
  body: string;
}

/** Checks responses against a published OpenAPI document. */
export interface DescriptionCheck {
  /** Lists differences between a response and the document, in both directions. Empty if they agree. */
  problemsOf(response: SentResponse): string[];
  /** Lists the differences for the body of a webhook. */
  problemsOfWebhook(type: string, body: unknown): string[];
}

interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, { responses: Record<string, Described> }>>;
  components: { responses: Record<string, Described>; headers: Record<string, { required?: boolean }> };
}

interface Described {
  $ref?: string;
  headers?: Record<string, { $ref?: string; required?: boolean }>;
  content?: Record<string, unknown>;
}

const DOCUMENT_ID = 'openapi.json';
/** The document does not describe its own endpoints. */
const DESCRIPTION_PATHS = /^\/(openapi\.json|docs|docs\/.*)$/;
/** The error codes, by status, of responses to requests that match no described operation. */
const OUTSIDE_CODES: Record<number, string> = {
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  503: 'SERVICE_UNAVAILABLE',
};
/**
 * Headers that must be described. `etag` is not included, because it is also sent where conditional requests are not
 * supported.
 */
const MEANINGFUL_HEADER = /^(x-.*|ratelimit.*|retry-after|www-authenticate|deprecation|sunset|link)$/;
/** Headers for browsers, which helmet adds to every response. */
const BROWSER_HEADER =
  /^x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection)$/;

/** Creates a check from a published document, as `GET /api/v1/openapi.json` returns it. Paths outside of its server pass. */
export function checkAgainst(published: unknown): DescriptionCheck {
  const document = closeObjects(structuredClone(published)) as Document;
  const base = document.servers[0]?.url ?? '';
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, DOCUMENT_ID);
  const validators = new Map<string, ValidateFunction>();
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    form: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

  /** Checks a value against the schema at a JSON pointer in the document. Returns the mismatches. */
  function mismatches(pointer: readonly string[], value: unknown): string[] {
    const reference = `${DOCUMENT_ID}#/${pointer.map(escapePointer).join('/')}`;
    const validate = validators.get(reference) ?? ajv.compile({ $ref: reference });
    validators.set(reference, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    );
  }

  function problems(sent: SentResponse): string[] {
    const path = (sent.path.split('?')[0] ?? '').slice(base.length);
    const method = sent.method === 'HEAD' ? 'get' : sent.method.toLowerCase();
    const template = paths.find(({ form }) => form.test(path))?.path;
    const operation = template === undefined ? undefined : document.paths[template]?.[method];
    if (template === undefined || operation === undefined) return outsideProblems(sent, base);
    const pointer = ['paths', template, method, 'responses', String(sent.status)];
    const response = operation.responses[sent.status];
    if (response === undefined) return [`the status ${sent.status} is not described`];
    const name = response.$ref?.slice('#/components/responses/'.length);
    const described = name === undefined ? response : (document.components.responses[name] as Described);
    return [
      ...headerProblems(sent, described),
      ...bodyProblems(sent, described, name === undefined ? pointer : ['components', 'responses', name]),
    ];
  }

  function headerProblems({ headers }: SentResponse, described: Described): string[] {
    const known = Object.entries(described.headers ?? {}).map(([name, header]) => ({
      name: name.toLowerCase(),
      isRequired: (header.$ref === undefined ? header : document.components.headers[name])?.required === true,
    }));
    const missing = known.filter(({ name, isRequired }) => isRequired && headers[name] === undefined);
    const undescribed = Object.keys(headers).filter(
      (name) =>
        MEANINGFUL_HEADER.test(name) &&
        !BROWSER_HEADER.test(name) &&
        !known.some((header) => header.name === name),
    );
    return [
      ...missing.map(({ name }) => `the header ${name} is missing`),
      ...undescribed.map((name) => `the header ${name} is not described`),
    ];
  }

  function bodyProblems(sent: SentResponse, described: Described, pointer: readonly string[]): string[] {
    if (sent.method === 'HEAD' || described.content === undefined) {
      return sent.body === '' ? [] : ['there is a body, but none is described'];
    }
    const type = String(sent.headers['content-type']).split(';')[0] as string;
    if (!(type in described.content)) return [`the content type ${type} is not described`];
    // The schema of newline-delimited JSON is that of a string.
    const value: unknown = type === 'application/x-ndjson' ? sent.body : JSON.parse(sent.body);
    return mismatches([...pointer, 'content', type, 'schema'], value);
  }

  return {
    problemsOf(response) {
      if (!response.path.startsWith(`${base}/`)) return [];
      const { method, path, status, body } = response;
      return problems(response).map(
        (problem) => `${method} ${path} ${status}: ${problem} in ${body.slice(0, 500)}`,
      );
    },
    problemsOfWebhook: (type, body) =>
      mismatches(['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'], body),
  };
}

/** Checks a response to a request that matches no described operation. */
function outsideProblems({ path, method, status, body }: SentResponse, base: string): string[] {
  const isDescription = DESCRIPTION_PATHS.test((path.split('?')[0] ?? '').slice(base.length));
  if (isDescription && (status === 200 || status === 304)) return [];
  const code = OUTSIDE_CODES[status];
  if (code === undefined) return ['the operation is not described'];
  if (method === 'HEAD') return [];
  const parsed = JSON.parse(body) as Record<string, unknown>;
  const isAsDescribed = parsed['code'] === code && Object.keys(parsed).toSorted().join() === 'code,error';
  return isAsDescribed ? [] : [`the code is not ${code}`];
}

/** Forbids undescribed fields. The published schemas allow them, so that fields can be added. The tests do not. */
function closeObjects(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  for (const [key, value] of Object.entries(node)) {
    // Examples are not schemas.
    if (key !== 'example' && key !== 'examples') closeObjects(value);
  }
  if ('properties' in node && 'type' in node && node.type === 'object' && !('additionalProperties' in node)) {
    Object.assign(node, { additionalProperties: false });
  }
  return node;
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
