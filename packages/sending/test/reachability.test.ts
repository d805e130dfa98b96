import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createReachability, type Reachability } from '../src/reachability.ts';

let server: Server;
let port: number;
let resolvable: Set<string>;
let reachability: Reachability;

beforeEach(async () => {
  server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  resolvable = new Set();
  reachability = createReachability((hostname) => Promise.resolve(resolvable.has(hostname)), 2_000);
});
afterEach(() => {
  server.close();
});

/** An address that no TCP connection can reach: a multicast group. */
const DARK = { hostname: 'dark.example', address: '224.0.0.1', port: 443 };
const lit = () => ({ hostname: 'lit.example', address: '127.0.0.1', port });
const now = () => performance.now();

describe('without another host to compare with', () => {
  test.each([
    ['name', true],
    ['network', true],
    ['silence', false],
  ] as const)('%s is ours: %s', async (how, isOurs) => {
    expect(await reachability.isOurs('dark.example', how, now())).toBe(isOurs);
    // That the host itself was reached once says nothing about the others.
    reachability.noteReached(DARK);
    expect(await reachability.isOurs('dark.example', how, now())).toBe(isOurs);
  });
});

describe.each(['network', 'silence'] as const)('%s', (how) => {
  test('is the failure of the receiver if another host is reached now', async () => {
    reachability.noteReached(lit());
    expect(await reachability.isOurs('dark.example', how, now())).toBe(false);
  });

  test('is the failure of the receiver if another host refuses the connection now: it is reached', async () => {
    reachability.noteReached(lit());
    server.close();
    await once(server, 'close');
    expect(await reachability.isOurs('dark.example', how, now())).toBe(false);
  });

  test('is ours if no other host is reached', async () => {
    reachability.noteReached(DARK);
    reachability.noteReached({ ...DARK, hostname: 'other.example', address: '224.0.0.2' });
    expect(await reachability.isOurs('third.example', how, now())).toBe(true);
  });

  test('is the failure of the receiver if another host was reached meanwhile', async () => {
    const sinceMs = now();
    reachability.noteReached(DARK);
    expect(await reachability.isOurs('third.example', how, sinceMs)).toBe(false);
  });
});

describe('DNS that does not respond', () => {
  test('is the failure of the receiver if other names resolve', async () => {
    reachability.noteReached(lit());
    resolvable.add('lit.example');
    expect(await reachability.isOurs('dark.example', 'name', now())).toBe(false);
  });

  test('is ours if no other name resolves, though its host would be reached', async () => {
    reachability.noteReached(lit());
    expect(await reachability.isOurs('dark.example', 'name', now())).toBe(true);
  });
});
