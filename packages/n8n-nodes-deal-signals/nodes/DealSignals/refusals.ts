import { type IDataObject, type INode, type JsonObject, NodeApiError } from 'n8n-workflow';

/** What n8n throws for a response that is not a success. */
interface RequestFailure {
  message: string;
  httpCode?: string | null;
  response?: { status?: number; data?: IDataObject };
  context?: IDataObject;
}

/** The status of the response that a request has failed with; 0 without a response. */
export function statusOf({ httpCode, response }: RequestFailure): number {
  return Number(httpCode ?? response?.status ?? 0);
}

/** Says what the API has said, in place of what n8n says about the status. */
export function refusalOf(node: INode, failure: RequestFailure): NodeApiError {
  const body = (failure.context?.data ?? failure.response?.data ?? {}) as JsonObject;
  const message = typeof body.error === 'string' ? body.error : failure.message;
  return new NodeApiError(node, body, { message, httpCode: String(statusOf(failure)) });
}
