import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Raises the amount of bytecode that a function runs before V8 optimises it. Each test file loads all of its modules anew and
 * ends within seconds, so most optimised code would never repay its cost. Files that compute for a long time are optimised a
 * little later. It is a flag of V8, not of Node, and newer versions have other flags.
 */
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000');

const CLOSING_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/**
 * Node's test environment, which also fails a test file that leaves something open: a server, a connection, a process, or a timer
 * that keeps the process running.
 */
export default class LeakCheckEnvironment extends TestEnvironment {
  #openBefore = countOpen();
  #hasFailed = false;

  handleTestEvent({ name, test }) {
    if (name === 'error' || name === 'hook_failure') this.#hasFailed = true;
    if (name === 'test_done' && test.errors.length > 0) this.#hasFailed = true;
  }

  async teardown() {
    // A failed test may not reach its cleanup, and its own error is more useful than the list of what it leaves open.
    const left = this.#hasFailed ? [] : await untilClosed(this.#openBefore);
    await super.teardown();
    if (left.length > 0) {
      throw new Error(
        `The test file left open: ${left.join(', ')}. Close it in an afterAll or afterEach hook.`,
      );
    }
  }
}

/** Waits until handles that are being closed are gone; returns the others. */
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

/** Counts the handles that keep this process running, by Node's internal names, such as TCPServerWrap or Timeout. */
function countOpen() {
  // Node opens these pipes on first use, and newer versions count them as well.
  void process.stdin;
  void process.stdout;
  void process.stderr;
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
