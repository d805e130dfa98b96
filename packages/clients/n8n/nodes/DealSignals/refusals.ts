import { type IDataObject, type INode, type JsonObject, NodeApiError } from 'n8n-workflow';

/** The error that n8n throws for an unsuccessful response. */
interface RequestFailure {
  message: string;
  httpCode?: string | null;
  response?: { status?: number; data?: IDataObject };
  context?: IDataObject;
}

/** Returns the error code that the API responded with; undefined if the response did not come from the API. */
export function errorCode(failure: RequestFailure): unknown {
  return errorBody(failure).code;
}

/** Creates an error with the message of the API, instead of n8n's message about the status. */
export function toApiError(node: INode, failure: RequestFailure): NodeApiError {
  const body = errorBody(failure);
  const message = typeof body.error === 'string' ? body.error : failure.message;
  const httpCode = String(failure.httpCode ?? failure.response?.status ?? 0);
  return new NodeApiError(node, body, { message, httpCode });
}

/** Creates the error for a response that does not come from the API. */
export function wrongServerError(node: INode): NodeApiError {
  return new NodeApiError(
    node,
    {},
    { message: 'The server did not respond like the Deal Signals API: is the base URL right?' },
  );
}

function errorBody({ context, response }: RequestFailure): JsonObject {
  const body: unknown = context?.data ?? response?.data;
  return typeof body === 'object' && body !== null ? (body as JsonObject) : {};
}
