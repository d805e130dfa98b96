import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { type Answer, decode, encode, RECURSION_AVAILABLE, RECURSION_DESIRED } from 'dns-packet';

/** The reply to one query: addresses (or none), an alias with its addresses, or a failure. */
export type Reply = readonly string[] | { alias: string; addresses: readonly string[] } | Failure;
type Failure = 'silence' | 'no such name' | 'server failure';

/** A name server on loopback with configurable replies. */
export interface LoopbackDns {
  /** Its address, for `dnsServers`. */
  readonly server: string;
  /** Every query as `A host.example`, in order of arrival. */
  readonly queries: string[];
  /** Sets the replies for a name. Each query consumes one of them, and the last one is repeated. Other names do not exist. */
  answer(type: 'A' | 'AAAA', name: string, ...replies: [Reply, ...Reply[]]): void;
  close(): Promise<void>;
}

const RESPONSE_CODES = { 'no such name': 3, 'server failure': 2 };

/** Starts a name server. Clients may cache its answers for `ttlSeconds`. */
export async function startLoopbackDns(options: { ttlSeconds?: number } = {}): Promise<LoopbackDns> {
  const { ttlSeconds = 0 } = options;
  const queries: string[] = [];
  const replies = new Map<string, [Reply, ...Reply[]]>();
  const socket = createSocket('udp4');

  function nextReply(query: string): Reply {
    const [reply, ...later] = replies.get(query) ?? [];
    if (later.length > 0) replies.set(query, later as [Reply, ...Reply[]]);
    if (reply !== undefined) return reply;
    const isKnown = [...replies.keys()].some((key) => key.split(' ')[1] === query.split(' ')[1]);
    return isKnown ? [] : 'no such name';
  }

  socket.on('message', (message, { address, port }) => {
    const { id, questions = [] } = decode(message);
    const [{ type, name } = { type: '', name: '' }] = questions;
    const query = `${type} ${name}`;
    queries.push(query);
    const reply = nextReply(query);
    if (reply === 'silence') return;
    const code = typeof reply === 'string' ? RESPONSE_CODES[reply] : 0;
    const answers = typeof reply === 'string' ? [] : toRecords(name, reply, ttlSeconds);
    const flags = RECURSION_DESIRED | RECURSION_AVAILABLE | code;
    socket.send(encode({ type: 'response', id: id ?? 0, flags, questions, answers }), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');

  return {
    server: `127.0.0.1:${socket.address().port}`,
    queries,
    answer(type, name, ...answers) {
      replies.set(`${type} ${name}`, answers);
    },
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function toRecords(name: string, reply: Exclude<Reply, Failure>, ttl: number): Answer[] {
  if ('alias' in reply) {
    const { alias, addresses } = reply;
    return [{ type: 'CNAME', name, ttl, data: alias }, ...toRecords(alias, addresses, ttl)];
  }
  return reply.map((data) => ({ type: isIPv6(data) ? 'AAAA' : 'A', name, ttl, data }));
}
