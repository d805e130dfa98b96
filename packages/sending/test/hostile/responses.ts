import { gzipSync } from 'node:zlib';
import type { SendResult } from '../../src/guard/guarded-send.ts';
import { closeAfter, dripping, endless, openAfter, type Respond } from './raw-https-server.ts';

/** The result of a request that gets such a response. */
type Expected =
  Partial<Extract<SendResult, { kind: 'responded' }>> | Partial<Extract<SendResult, { kind: 'failed' }>>;

const CLOSED: Expected = { kind: 'failed', error: 'connection closed before a response' };
const NOT_HTTP: Expected = { kind: 'failed', error: 'response is not valid HTTP' };
const TOO_LARGE: Expected = { kind: 'failed', error: 'response headers too large' };
const FLOODED: Expected = { kind: 'failed', error: 'too many interim responses' };
const SWITCHED: Expected = { kind: 'failed', error: 'unexpected protocol switch' };
const responded = (status: number, excerpt = ''): Expected => ({ kind: 'responded', status, excerpt });

const OK = 'HTTP/1.1 200 OK\r\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n';
const BOMB = gzipSync(Buffer.alloc(10e6));

type Row = readonly [what: string, respond: Respond, expected: Expected];

/** Responses that end only at the timeout. */
export function unfinished(timeoutMs: number): readonly Row[] {
  const timedOut: Expected = { kind: 'failed', error: `timeout after ${timeoutMs} ms` };
  return [
    ['no response', () => {}, timedOut],
    ['an unfinished status line', openAfter('HTTP/1.1 2'), timedOut],
    ['unfinished headers', openAfter(`${OK}X-A: `), timedOut],
    ['headers that come byte by byte without end', dripping(OK, 'X-Drip: 1\r\n'), timedOut],
    ['an interim response and nothing after it', openAfter(CONTINUE), timedOut],
    ['an unfinished body', openAfter(`${OK}Content-Length: 9\r\n\r\nhalf`), responded(200, 'half')],
    [
      'unfinished chunks',
      openAfter(`${OK}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`),
      responded(200, 'half'),
    ],
  ];
}

/** Responses that the receiver itself ends. */
export const BROKEN: readonly Row[] = [
  // the connection closes early
  ['a connection closed before the response', closeAfter(''), CLOSED],
  ['a connection reset before the response', (socket) => void socket.destroy(), CLOSED],
  ['a connection closed within the status line', closeAfter('HTTP/1.1 2'), CLOSED],
  ['a connection closed within the headers', closeAfter(`${OK}X-A: 1\r\n`), CLOSED],
  ['a connection closed after an interim response', closeAfter(CONTINUE), CLOSED],
  [
    'a connection closed within the body',
    closeAfter(`${OK}Content-Length: 9\r\n\r\nhalf`),
    responded(200, 'half'),
  ],
  [
    'a connection closed within a chunk',
    closeAfter(`${OK}Transfer-Encoding: chunked\r\n\r\n9\r\nhalf`),
    responded(200, 'half'),
  ],
  // not HTTP
  ['garbage', closeAfter('\x00\xff\x16\x03garbage\r\n\r\n'), NOT_HTTP],
  ['another protocol', closeAfter('SSH-2.0-OpenSSH_9.6\r\n'), NOT_HTTP],
  ['a body without headers', closeAfter('<html>hello</html>'), NOT_HTTP],
  ['a status that is not a number', closeAfter('HTTP/1.1 abc OK\r\n\r\n'), NOT_HTTP],
  ['a status of four digits', closeAfter('HTTP/1.1 2000 OK\r\n\r\n'), NOT_HTTP],
  ['a version from the future', closeAfter('HTTP/9.9 200 OK\r\n\r\n'), NOT_HTTP],
  ['NUL in a header', closeAfter(`${OK}X-A: a\0b\r\n\r\n`), NOT_HTTP],
  ['a header name with a blank', closeAfter(`${OK}X A: 1\r\n\r\n`), NOT_HTTP],
  ['two lengths', closeAfter(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`), NOT_HTTP],
  ['a negative length', closeAfter(`${OK}Content-Length: -1\r\n\r\n`), NOT_HTTP],
  [
    'a length and chunks',
    closeAfter(`${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`),
    NOT_HTTP,
  ],
  [
    'a switch to another protocol',
    closeAfter('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    SWITCHED,
  ],
  // a valid status, with something else broken
  [
    'interim responses before the response',
    closeAfter(`${CONTINUE}${HINTS}${OK}Content-Length: 2\r\n\r\nok`),
    responded(200, 'ok'),
  ],
  [
    'chunks that are garbage',
    closeAfter(`${OK}Transfer-Encoding: chunked\r\n\r\nZZ\r\nhello`),
    responded(200),
  ],
  ['a body longer than its length', closeAfter(`${OK}Content-Length: 2\r\n\r\nhello`), responded(200, 'he')],
  [
    'a second response after the first',
    closeAfter(`${OK}Content-Length: 0\r\n\r\nHTTP/1.1 500 No\r\n\r\n`),
    responded(200),
  ],
  [
    'a body where there must be none',
    closeAfter('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nhi'),
    responded(204),
  ],
  [
    'a status text that is not UTF-8',
    closeAfter('HTTP/1.1 500 \xff\xfe\xc3\x28\r\nContent-Length: 0\r\n\r\n'),
    responded(500),
  ],
  [
    'headers that are not UTF-8',
    closeAfter(`${OK}X-A: \xff\xc3\x28\r\nContent-Length: 0\r\n\r\n`),
    responded(200),
  ],
  [
    'a body of NUL and broken UTF-8',
    closeAfter(`${OK}Content-Length: 6\r\n\r\nno\0\xff\xc3!`),
    responded(200, 'no\uFFFD\uFFFD\uFFFD!'),
  ],
  ['a status beyond 599', closeAfter('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'), responded(999)],
  ...['gzip', 'br', 'deflate', 'zstd', 'identity, gzip, gzip'].map((coding): Row => [
    `a compression bomb (${coding})`,
    closeAfter(
      `${OK}Content-Encoding: ${coding}\r\nContent-Length: ${BOMB.length}\r\n\r\n${BOMB.toString('latin1')}`,
    ),
    // The body is not decompressed.
    responded(200, new TextDecoder().decode(BOMB.subarray(0, 1024)).replaceAll('\0', '\uFFFD')),
  ]),
];

/** Responses that a size limit ends, long before any timeout. */
export const ENDLESS: readonly Row[] = [
  ['one endless header', endless(`${OK}X-A: `, 'a'), TOO_LARGE],
  ['endless headers', endless(OK, 'X-A: 1\r\n'), TOO_LARGE],
  ['an endless status text', endless('HTTP/1.1 200 ', 'a'), TOO_LARGE],
  ['endless "continue"', endless('', CONTINUE), FLOODED],
  ['endless early hints', endless('', HINTS), FLOODED],
  ['an endless body', endless(`${OK}\r\n`, 'x'), responded(200, 'x'.repeat(1024))],
  ['an endless body of empty lines', endless(`${OK}\r\n`, '\r\n'), responded(200, '\r\n'.repeat(512))],
  [
    'endless chunks',
    endless(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'),
    responded(200, 'x'.repeat(1024)),
  ],
  ['an endless chunk extension', endless(`${OK}Transfer-Encoding: chunked\r\n\r\n1;`, 'a'), responded(200)],
  ['endless trailers', endless(`${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X-A: 1\r\n'), responded(200)],
];
