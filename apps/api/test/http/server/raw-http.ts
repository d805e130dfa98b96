import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A response as it came over the wire. */
export interface RawResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

const SILENCE_MS = 60_000;

/**
 * Sends bytes over a new connection, whether or not they are HTTP, and reads until the server closes it.
 *
 * @returns all responses, or none if the server just closed the connection.
 */
export function sendBytes(port: number, bytes: Buffer, isHead = false): Promise<RawResponse[]> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(SILENCE_MS, () =>
      socket.destroy(new Error('the server neither responds nor closes the connection')),
    );
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close the connection before it has read everything. The bytes received until then count.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      try {
        resolve(readResponses(Buffer.concat(received), isHead));
      } catch (error) {
        reject(error);
      }
    });
    socket.write(bytes);
  });
}

function readResponses(bytes: Buffer, isHead: boolean): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) throw new Error(`half a response: ${rest.toString('latin1')}`);
    const [statusLine = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new Error(`no response: ${statusLine}`);
    rest = rest.subarray(headEnd + 4);
    if (status < 200) continue;
    const [content, behind] = isHead && rest.length === 0 ? [rest, rest] : readContent(rest, headers, status);
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(content) : content;
    responses.push({ status, headers, body: body.toString() });
    rest = behind;
  }
  return responses;
}

function readContent(bytes: Buffer, headers: Record<string, string>, status: number): [Buffer, Buffer] {
  if (status === 204 || status === 304) return [Buffer.alloc(0), bytes];
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes);
  const length = Number(headers['content-length']);
  if (!(bytes.length >= length)) throw new Error(`half a body: ${bytes.length} bytes of ${length}`);
  return [bytes.subarray(0, length), bytes.subarray(length)];
}

function readChunks(bytes: Buffer): [Buffer, Buffer] {
  const chunks: Buffer[] = [];
  for (let rest = bytes; ;) {
    const sizeEnd = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.subarray(0, sizeEnd).toString('latin1'), 16);
    if (Number.isNaN(size) || rest.length < sizeEnd + 4 + size) throw new Error('half a chunk');
    chunks.push(rest.subarray(sizeEnd + 2, sizeEnd + 2 + size));
    rest = rest.subarray(sizeEnd + 4 + size);
    if (size === 0) return [Buffer.concat(chunks), rest];
  }
}
