import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { DescriptionCheck } from '@deal-signals/test-kit/published-description';

const DECODERS: Record<string, (body: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/**
 * Checks every response of an application against the published description.
 *
 * @param report called with a message for each response that does not match.
 */
export function checkedApp(
  app: RequestListener,
  check: DescriptionCheck,
  report: (problem: string) => void,
): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = [];
    const write = response.write.bind(response) as (...parameters: unknown[]) => boolean;
    const end = response.end.bind(response) as (...parameters: unknown[]) => ServerResponse;
    const keep = (chunk: unknown, encoding: unknown): void => {
      if (typeof chunk === 'string') {
        chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
      } else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    };
    response.write = (...parameters: unknown[]): boolean => {
      keep(parameters[0], parameters[1]);
      return write(...parameters);
    };
    response.end = (...parameters: unknown[]): ServerResponse => {
      keep(parameters[0], parameters[1]);
      problemsOf(request, response, Buffer.concat(chunks), check).forEach(report);
      return end(...parameters);
    };
    app(request, response);
  };
}

function problemsOf(
  request: IncomingMessage,
  response: ServerResponse,
  sent: Buffer,
  check: DescriptionCheck,
): string[] {
  try {
    const decode = DECODERS[String(response.getHeader('content-encoding'))];
    return check.problemsOf({
      method: request.method ?? '',
      path: request.url ?? '',
      status: response.statusCode,
      headers: response.getHeaders(),
      body: (decode ? decode(sent) : sent).toString(),
    });
  } catch (error) {
    return [`${request.method} ${request.url}: ${String(error)}`];
  }
}
