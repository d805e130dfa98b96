import { type IDataObject, type INode, type JsonObject, NodeApiError } from 'n8n-workflow';

/** The error that n8n throws for an unsuccessful response. */
interface RequestFailure {
  message: string;
  httpCode?: string | null;
  response?: { status?: number; data?: IDataObject };
  context?: IDataObject;
}

/** Returns the API's error code for a failed request; undefined if the response did not come from the API. */
export function codeOf(failure: RequestFailure): unknown {
  return bodyOf(failure).code;
}

/** Replaces n8n's message about the status by the message of the API. */
export function refusalOf(node: INode, failure: RequestFailure): NodeApiError {
  const body = bodyOf(failure);
  const message = typeof body.error === 'string' ? body.error : failure.message;
  const httpCode = String(failure.httpCode ?? failure.response?.status ?? 0);
  return new NodeApiError(node, body, { message, httpCode });
}

/** Returns the error for a response that the API does not send. */
export function otherServer(node: INode): NodeApiError {
  return new NodeApiError(
    node,
    {},
    { message: 'The server did not respond as the API does: is the base URL right?' },
  );
}

function bodyOf({ context, response }: RequestFailure): JsonObject {
  const body: unknown = context?.data ?? response?.data;
  return typeof body === 'object' && body !== null ? (body as JsonObject) : {};
}
