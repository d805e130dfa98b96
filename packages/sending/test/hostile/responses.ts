import { gzipSync } from 'node:zlib';
import type { SendResult } from '../../src/guarded-send.ts';
import { type Answer, closeAfter, dripping, endless, openAfter } from './raw-https-server.ts';

/** What an answer of that kind comes to. */
type Expected =
  Partial<Extract<SendResult, { kind: 'answered' }>> | Partial<Extract<SendResult, { kind: 'failed' }>>;

const CLOSED: Expected = { kind: 'failed', error: 'connection closed before a response' };
const NOT_HTTP: Expected = { kind: 'failed', error: 'response is not valid HTTP' };
const TOO_LARGE: Expected = { kind: 'failed', error: 'response headers too large' };
const FLOODED: Expected = { kind: 'failed', error: 'too many interim responses' };
const SWITCHED: Expected = { kind: 'failed', error: 'unexpected protocol switch' };
const answered = (status: number, excerpt = ''): Expected => ({ kind: 'answered', status, excerpt });

const OK = 'HTTP/1.1 200 OK\r\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n';
const BOMB = gzipSync(Buffer.alloc(10e6));

type Row = readonly [what: string, answer: Answer, expected: Expected];

// What a receiver may do with a request, other than answer it as it should, and what that comes to.

/** Ends by the limit of time. */
export function tooSlow(timeoutMs: number): readonly Row[] {
  const timedOut: Expected = { kind: 'failed', error: `timeout after ${timeoutMs} ms` };
  return [
    ['nothing at all', () => {}, timedOut],
    ['a status line that stops in the middle', openAfter('HTTP/1.1 2'), timedOut],
    ['headers that stop in the middle', openAfter(`${OK}X-A: `), timedOut],
    ['headers that drip', dripping(OK, 'X-Drip: 1\r\n'), timedOut],
    ['one interim response and then nothing', openAfter(CONTINUE), timedOut],
    [
      'a body that stops in the middle',
      openAfter(`${OK}Content-Length: 9\r\n\r\nhalf`),
      answered(200, 'half'),
    ],
    [
      'chunks that stop',
      openAfter(`${OK}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`),
      answered(200, 'half'),
    ],
  ];
}

/** Ends by itself. */
export const BROKEN: readonly Row[] = [
  // closes early
  ['an end before anything', closeAfter(''), CLOSED],
  ['a reset before anything', (socket) => void socket.destroy(), CLOSED],
  ['an end in the status line', closeAfter('HTTP/1.1 2'), CLOSED],
  ['an end in the headers', closeAfter(`${OK}X-A: 1\r\n`), CLOSED],
  ['an end after an interim response', closeAfter(CONTINUE), CLOSED],
  ['an end in the body', closeAfter(`${OK}Content-Length: 9\r\n\r\nhalf`), answered(200, 'half')],
  [
    'an end in a chunk',
    closeAfter(`${OK}Transfer-Encoding: chunked\r\n\r\n9\r\nhalf`),
    answered(200, 'half'),
  ],
  // no HTTP
  ['garbage', closeAfter('\x00\xff\x16\x03garbage\r\n\r\n'), NOT_HTTP],
  ['another protocol', closeAfter('SSH-2.0-OpenSSH_9.6\r\n'), NOT_HTTP],
  ['a body without headers', closeAfter('<html>hello</html>'), NOT_HTTP],
  ['a status that is no number', closeAfter('HTTP/1.1 abc OK\r\n\r\n'), NOT_HTTP],
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
    'another protocol to switch to',
    closeAfter('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    SWITCHED,
  ],
  // broken, but the status has arrived
  [
    'a little early advice',
    closeAfter(`${CONTINUE}${HINTS}${OK}Content-Length: 2\r\n\r\nok`),
    answered(200, 'ok'),
  ],
  [
    'chunks that are garbage',
    closeAfter(`${OK}Transfer-Encoding: chunked\r\n\r\nZZ\r\nhello`),
    answered(200),
  ],
  ['a body longer than its length', closeAfter(`${OK}Content-Length: 2\r\n\r\nhello`), answered(200, 'he')],
  [
    'a second answer behind the first',
    closeAfter(`${OK}Content-Length: 0\r\n\r\nHTTP/1.1 500 No\r\n\r\n`),
    answered(200),
  ],
  [
    'a body where there must be none',
    closeAfter('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nhi'),
    answered(204),
  ],
  [
    'a status text that is not UTF-8',
    closeAfter('HTTP/1.1 500 \xff\xfe\xc3\x28\r\nContent-Length: 0\r\n\r\n'),
    answered(500),
  ],
  [
    'headers that are not UTF-8',
    closeAfter(`${OK}X-A: \xff\xc3\x28\r\nContent-Length: 0\r\n\r\n`),
    answered(200),
  ],
  [
    'a body of NUL and broken UTF-8',
    closeAfter(`${OK}Content-Length: 6\r\n\r\nno\0\xff\xc3!`),
    answered(200, 'no\uFFFD\uFFFD\uFFFD!'),
  ],
  ['a status beyond 599', closeAfter('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'), answered(999)],
  ...['gzip', 'br', 'deflate', 'zstd', 'identity, gzip, gzip'].map((coding): Row => [
    `a bomb in ${coding}`,
    closeAfter(
      `${OK}Content-Encoding: ${coding}\r\nContent-Length: ${BOMB.length}\r\n\r\n${BOMB.toString('latin1')}`,
    ),
    // The excerpt is of the packed bytes.
    answered(200, new TextDecoder().decode(BOMB.subarray(0, 1024)).replaceAll('\0', '\uFFFD')),
  ]),
];

/** Ends by a limit of size, long before any limit of time. */
export const ENDLESS: readonly Row[] = [
  ['one endless header', endless(`${OK}X-A: `, 'a'), TOO_LARGE],
  ['endless headers', endless(OK, 'X-A: 1\r\n'), TOO_LARGE],
  ['an endless status text', endless('HTTP/1.1 200 ', 'a'), TOO_LARGE],
  ['endless "continue"', endless('', CONTINUE), FLOODED],
  ['endless early hints', endless('', HINTS), FLOODED],
  ['an endless body', endless(`${OK}\r\n`, 'x'), answered(200, 'x'.repeat(1024))],
  ['an endless body of empty lines', endless(`${OK}\r\n`, '\r\n'), answered(200, '\r\n'.repeat(512))],
  [
    'endless chunks',
    endless(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'),
    answered(200, 'x'.repeat(1024)),
  ],
  ['an endless chunk extension', endless(`${OK}Transfer-Encoding: chunked\r\n\r\n1;`, 'a'), answered(200)],
  ['endless trailers', endless(`${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X-A: 1\r\n'), answered(200)],
];
