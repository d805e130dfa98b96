import { setMaxListeners } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// `attacker.ts` runs this file as a process of its own. Its argument is an attack, and the message `stop` ends it.

/** What an attacker does to a server on this machine until it is stopped. */
export type Attack =
  /** Sends requests over `parallel` kept connections, each as soon as it has read the last response. */
  | {
      kind: 'requests';
      port: number;
      parallel: number;
      /** Sent in turn. `{n}` in a token is replaced by the number of the request, in ten digits. */
      requests: { method: string; path: string; token: string; body?: unknown }[];
    }
  /** Opens connections, sends `pipelined` requests over each, and never reads. */
  | { kind: 'unread'; port: number; connections: number; path: string; token: string; pipelined: number }
  /** Opens connections and repeatedly sends a byte of a header over each. */
  | { kind: 'slow headers'; port: number; connections: number };

/** The outcome of an attack. */
export interface AttackReport {
  /** Responses by their status. */
  statuses: Record<string, number>;
  /** Connections that the server closed, or that could not be opened. */
  closed: number;
}

const SLOW_BYTE_MS = 500;

const report: AttackReport = { statuses: {}, closed: 0 };
const stopping = new AbortController();
// Every request in progress listens to this signal.
setMaxListeners(0, stopping.signal);
const sockets = new Set<Socket>();

async function sendRequests(attack: Attack & { kind: 'requests' }): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: attack.parallel });
  let next = 0;
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const one = attack.requests[next % attack.requests.length]!;
      const token = one.token.replace('{n}', String(next).padStart(10, '0'));
      next += 1;
      await sendOne(agent, attack.port, { ...one, token }).then(
        (status) => (report.statuses[status] = (report.statuses[status] ?? 0) + 1),
        () => (report.closed += 1),
      );
    }
  };
  await Promise.all(Array.from({ length: attack.parallel }, loop));
  agent.destroy();
}

function sendOne(
  agent: Agent,
  port: number,
  { method, path, token, body }: { method: string; path: string; token: string; body?: unknown },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(text !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      }),
    };
    const sent = request(
      { host: '127.0.0.1', port, method, path, agent, headers, signal: stopping.signal },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

/** Keeps a number of connections open. One that the server closes is opened again a little later. */
async function keepOpen(port: number, count: number, use: (socket: Socket) => void): Promise<void> {
  const hold = async () => {
    while (!stopping.signal.aborted) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => use(socket));
        sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          sockets.delete(socket);
          if (!stopping.signal.aborted) report.closed += 1;
          resolve();
        });
      });
      await sleep(SLOW_BYTE_MS);
    }
  };
  await Promise.all(Array.from({ length: count }, hold));
}

function neverRead(attack: Attack & { kind: 'unread' }): Promise<void> {
  const head = `GET ${attack.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${attack.token}\r\n\r\n`;
  return keepOpen(attack.port, attack.connections, (socket) => {
    socket.pause();
    socket.write(head.repeat(attack.pipelined));
  });
}

function sendSlowly(attack: Attack & { kind: 'slow headers' }): Promise<void> {
  return keepOpen(attack.port, attack.connections, (socket) => {
    socket.resume();
    socket.write('GET /api/v1/status HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const timer = setInterval(() => socket.write('x'), SLOW_BYTE_MS);
    socket.on('close', () => clearInterval(timer));
  });
}

function run(attack: Attack): Promise<void> {
  if (attack.kind === 'requests') return sendRequests(attack);
  return attack.kind === 'unread' ? neverRead(attack) : sendSlowly(attack);
}

process.on('message', () => {
  stopping.abort();
  for (const socket of sockets) socket.destroy();
  process.send?.(report);
});
// The test ended without stopping the attack.
process.on('disconnect', () => process.exit());
void run(JSON.parse(process.argv[2] ?? '') as Attack);
process.send?.('started');
