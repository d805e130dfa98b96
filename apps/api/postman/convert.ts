import { convertV2, type Options } from 'openapi-to-postmanv2';
import type { oas31 } from 'zod-openapi';

/** The variables of the collection. Their values are for the reader to set, so none of them holds a secret. */
const VARIABLES = [
  { key: 'baseUrl', value: 'http://127.0.0.1:3000/api/v1', description: 'Where the API is, with `/api/v1`' },
  { key: 'apiKey', value: '', description: 'An API key, for requests that read the data of the workspace' },
  { key: 'sessionToken', value: '', description: 'The session token of an admin, for all other requests' },
];

/** The variable that holds the credential of each security scheme. */
const CREDENTIALS: Readonly<Record<string, string>> = { apiKeyAuth: 'apiKey', adminSession: 'sessionToken' };

const OPTIONS: Options = {
  folderStrategy: 'Tags',
  parametersResolution: 'Example',
  // Optional parameters are listed but switched off: a first request needs none of them.
  enableOptionalParameters: false,
};

/** A parameter of a request: of its path or query, or a header. */
interface Value {
  key: string;
  value: string;
}

/** A folder or a request of a collection, as far as it is changed here. */
interface Item {
  id?: string;
  name: string;
  item?: Item[];
  request?: { auth?: object; header: Value[]; url: { query: Value[]; variable: Value[] } };
  response?: { id?: string; code: number; header: Value[]; originalRequest?: object }[];
}

/** A collection in Postman's format 2.1. */
export interface Collection {
  info: { name: string; _postman_id?: string };
  item: Item[];
  variable?: object[];
}

/** What the converter does not take from an operation. */
interface Operation {
  /** The variable that holds the credential; null for an operation that needs none. */
  credential: string | null;
  /** The example of each parameter, or its default; empty without either. */
  values: ReadonlyMap<string, string>;
}

/**
 * Converts the description of the API to a Postman collection, with Postman's own converter. The result depends on the
 * description alone: the ids and the values of parameters that the converter has drawn are left out.
 *
 * @throws Error if the converter refuses the description, or if an operation takes a credential that has no variable.
 */
export async function toPostmanCollection(description: oas31.OpenAPIObject): Promise<Collection> {
  const { info, item, ...rest } = await convert(description);
  const { _postman_id: _drawn, ...named } = info;
  const operations = operationsBySummary(description);
  const folders = item.filter((folder) => folder.item?.length !== 0);
  return {
    info: named,
    ...rest,
    item: folders.map((one) => convertItem(one, operations)),
    variable: VARIABLES,
  };
}

function convert(description: oas31.OpenAPIObject): Promise<Collection> {
  return new Promise((resolve, reject) => {
    convertV2({ type: 'json', data: structuredClone(description) }, OPTIONS, (error, result) => {
      const collection = result?.output?.[0]?.data;
      if (collection !== undefined) resolve(JSON.parse(JSON.stringify(collection)) as Collection);
      else reject(error ?? new Error(`the description was not converted: ${result?.reason}`));
    });
  });
}

/** The operations by their summaries, which are the names of their requests. */
function operationsBySummary({ paths = {} }: oas31.OpenAPIObject): ReadonlyMap<string, Operation> {
  const operations = Object.values(paths).flatMap((path) =>
    Object.values(path as Record<string, oas31.OperationObject>),
  );
  return new Map(
    operations.map(({ summary = '', security = [], parameters = [] }) => {
      const [scheme = ''] = Object.keys(security[0] ?? {});
      const credential = security.length === 0 ? null : CREDENTIALS[scheme];
      if (credential === undefined) throw new Error(`there is no variable for the credential ${scheme}`);
      const values = (parameters as oas31.ParameterObject[]).map(({ name, example, schema = {} }) => {
        const { default: usual, example: ofSchema } = schema as oas31.SchemaObject;
        return [name, String(example ?? ofSchema ?? usual ?? '')] as const;
      });
      return [summary, { credential, values: new Map(values) }];
    }),
  );
}

/** Completes a request. Of its examples, those of errors are left out: the guides explain them for all operations. */
function convertItem({ id: _drawn, ...item }: Item, operations: ReadonlyMap<string, Operation>): Item {
  if (item.item !== undefined) return { ...item, item: item.item.map((one) => convertItem(one, operations)) };
  const operation = operations.get(item.name);
  if (operation === undefined || item.request === undefined) throw new Error(`${item.name} is no operation`);
  const { credential, values } = operation;
  const exemplary = (parameters: Value[]) =>
    parameters.map((one) => ({ ...one, value: values.get(one.key) ?? one.value }));
  const { header, url, ...request } = item.request;
  return {
    ...item,
    request: {
      ...request,
      header: exemplary(header),
      url: { ...url, query: exemplary(url.query), variable: exemplary(url.variable) },
      auth:
        credential === null
          ? { type: 'noauth' }
          : { type: 'bearer', bearer: [{ key: 'token', value: `{{${credential}}}`, type: 'string' }] },
    },
    response: (item.response ?? [])
      .filter(({ code }) => code < 300)
      .map(({ id: _responseId, originalRequest: _request, ...response }) => ({
        ...response,
        header: response.header.filter(({ key }) => key === 'Content-Type'),
      })),
  };
}
