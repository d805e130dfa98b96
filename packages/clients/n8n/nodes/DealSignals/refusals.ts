import { type IDataObject, type INode, type JsonObject, NodeApiError } from 'n8n-workflow';

/** What n8n throws for a response that is not a success. */
interface RequestFailure {
  message: string;
  httpCode?: string | null;
  response?: { status?: number; data?: IDataObject };
  context?: IDataObject;
}

/** The code of the API for which a request has failed; undefined if the response did not come from the API. */
export function codeOf(failure: RequestFailure): unknown {
  return bodyOf(failure).code;
}

/** Says what the API has said, in place of what n8n says about the status. */
export function refusalOf(node: INode, failure: RequestFailure): NodeApiError {
  const body = bodyOf(failure);
  const message = typeof body.error === 'string' ? body.error : failure.message;
  const httpCode = String(failure.httpCode ?? failure.response?.status ?? 0);
  return new NodeApiError(node, body, { message, httpCode });
}

/** The error for a response that the API does not send. */
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
