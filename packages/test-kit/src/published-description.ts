import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** An answer of the API, as it was sent. */
export interface SentAnswer {
  method: string;
  /** Of the URL, `/api/v1` included. */
  path: string;
  status: number;
  headers: Readonly<Record<string, unknown>>;
  /** The text of the body, not compressed. */
  body: string;
}

/** Holds answers against a published OpenAPI document. */
export interface DescriptionCheck {
  /** What is sent and not described, or described and not sent; empty when the answer is as published. */
  problemsOf(answer: SentAnswer): string[];
  /** The same for the body of a webhook. */
  problemsOfWebhook(type: string, body: unknown): string[];
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Described> }>>;
  components: { responses: Record<string, Described>; headers: Record<string, { required?: boolean }> };
}

interface Described {
  $ref?: string;
  headers?: Record<string, { $ref?: string; required?: boolean }>;
  content?: Record<string, unknown>;
}

const BASE = '/api/v1';
const DOCUMENT_ID = 'openapi.json';
/** The description does not describe itself. */
const DESCRIPTION_PATHS = new Set(['/openapi.json', '/docs']);
/** Answers that no operation gives: to what the description does not know. */
const OUTSIDE_CODES: Record<number, string> = {
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  503: 'SERVICE_UNAVAILABLE',
};
/** Headers that mean something to callers; an ETag on an answer that cannot be asked for again means nothing. */
const MEANINGFUL_HEADER = /^(x-.*|retry-after|www-authenticate|deprecation|sunset|link)$/;
/** Sent for browsers, by the library that knows them. */
const BROWSER_HEADER =
  /^x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection)$/;

/** Reads a published document, as `GET /api/v1/openapi.json` gives it. */
export function checkAgainst(published: unknown): DescriptionCheck {
  const document = closeObjects(structuredClone(published)) as Document;
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, DOCUMENT_ID);
  const validators = new Map<string, ValidateFunction>();
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    form: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

  /** Checks a value against the schema at a place in the document. */
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

  function problems(answer: SentAnswer): string[] {
    const path = (answer.path.split('?')[0] ?? '').slice(BASE.length);
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    const template = paths.find(({ form }) => form.test(path))?.path;
    const operation = template === undefined ? undefined : document.paths[template]?.[method];
    if (template === undefined || operation === undefined) return outsideProblems(answer);
    const pointer = ['paths', template, method, 'responses', String(answer.status)];
    const response = operation.responses[answer.status];
    if (response === undefined) return [`the status ${answer.status} is not described`];
    const name = response.$ref?.slice('#/components/responses/'.length);
    const described = name === undefined ? response : (document.components.responses[name] as Described);
    return [
      ...headerProblems(answer, described),
      ...bodyProblems(answer, described, name === undefined ? pointer : ['components', 'responses', name]),
    ];
  }

  function headerProblems({ headers }: SentAnswer, described: Described): string[] {
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

  function bodyProblems(answer: SentAnswer, described: Described, pointer: readonly string[]): string[] {
    if (answer.method === 'HEAD' || described.content === undefined) {
      return answer.body === '' ? [] : ['there is a body and none is described'];
    }
    const type = String(answer.headers['content-type']).split(';')[0] as string;
    if (!(type in described.content)) return [`the content type ${type} is not described`];
    return mismatches([...pointer, 'content', type, 'schema'], JSON.parse(answer.body));
  }

  return {
    problemsOf(answer) {
      if (!answer.path.startsWith(`${BASE}/`)) return [];
      const { method, path, status, body } = answer;
      return problems(answer).map(
        (problem) => `${method} ${path} ${status}: ${problem} in ${body.slice(0, 500)}`,
      );
    },
    problemsOfWebhook: (type, body) =>
      mismatches(['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'], body),
  };
}

function outsideProblems({ path, method, status, body }: SentAnswer): string[] {
  const isDescription = DESCRIPTION_PATHS.has((path.split('?')[0] ?? '').slice(BASE.length));
  if (isDescription && (status === 200 || status === 304)) return [];
  const code = OUTSIDE_CODES[status];
  if (code === undefined) return ['the operation is not described'];
  if (method === 'HEAD') return [];
  const parsed = JSON.parse(body) as Record<string, unknown>;
  const isAsDescribed = parsed['code'] === code && Object.keys(parsed).toSorted().join() === 'code,error';
  return isAsDescribed ? [] : [`the code is not ${code}`];
}

/** Published schemas let consumers expect new fields; here a field that is not described is a fault. */
function closeObjects(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  for (const [key, value] of Object.entries(node)) {
    // What an example looks like is no schema.
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
