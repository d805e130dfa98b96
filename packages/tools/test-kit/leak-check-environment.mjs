import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { TestEnvironment } from 'jest-environment-node';

/**
 * How much bytecode a function runs before V8 optimises it, many times as much as usual. Each test file loads all of its
 * modules anew and is over in seconds, so most optimised code never repays what it cost. The files that compute for
 * long get theirs a little later. It is a flag of V8, not of Node: newer versions have others.
 */
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000');

const CLOSING_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/**
 * Node's test environment, which also fails a test file that leaves something open: a server, a connection, a process or a
 * timer that keeps the process from ending by itself.
 */
export default class LeakCheckEnvironment extends TestEnvironment {
  #openBefore = countOpen();
  #hasFailed = false;

  handleTestEvent({ name, test }) {
    if (name === 'error' || name === 'hook_failure') this.#hasFailed = true;
    if (name === 'test_done' && test.errors.length > 0) this.#hasFailed = true;
  }

  async teardown() {
    // A failed test may not get to its end, and its own error says more than what it leaves open.
    const left = this.#hasFailed ? [] : await untilClosed(this.#openBefore);
    await super.teardown();
    if (left.length > 0) {
      throw new Error(
        `The test file leaves open: ${left.join(', ')}. Close it in an afterAll or afterEach hook.`,
      );
    }
  }
}

/** Waits for what is being closed; returns what is not. */
async function untilClosed(openBefore) {
  const deadlineMs = performance.now() + CLOSING_TIMEOUT_MS;
  for (;;) {
    const left = [...countOpen()]
      .filter(([type, count]) => count > (openBefore.get(type) ?? 0))
      .map(([type]) => type);
    if (left.length === 0 || performance.now() > deadlineMs) return left;
    await sleep(POLL_MS);
  }
}

/** Counts what keeps this process running, by Node's internal names, such as TCPServerWrap or Timeout. */
function countOpen() {
  // Node opens these pipes when something first uses them, which newer versions also count.
  void process.stdin;
  void process.stdout;
  void process.stderr;
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
