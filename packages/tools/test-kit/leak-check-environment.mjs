import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { TestEnvironment } from 'jest-environment-node';

/**
 * The amount of bytecode that a function runs before V8 optimises it, many times the default. Each test file loads all of its
 * modules anew and ends within seconds, so most optimised code never pays off. Only long-running files reach the limit. It is
 * a flag of V8 rather than of Node.js, and newer versions have others.
 */
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000');

const CLOSING_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/**
 * Node's test environment, which also fails a test file that leaves a server, a connection, a process or a timer open that
 * keeps the process running.
 */
export default class LeakCheckEnvironment extends TestEnvironment {
  #openBefore = countOpen();
  #hasFailed = false;

  handleTestEvent({ name, test }) {
    if (name === 'error' || name === 'hook_failure') this.#hasFailed = true;
    if (name === 'test_done' && test.errors.length > 0) this.#hasFailed = true;
  }

  async teardown() {
    // A failed test may not have closed everything, and its own error is more useful.
    const left = this.#hasFailed ? [] : await untilClosed(this.#openBefore);
    await super.teardown();
    if (left.length > 0) {
      throw new Error(
        `The test file leaves open: ${left.join(', ')}. Close it in an afterAll or afterEach hook.`,
      );
    }
  }
}

/** Waits for resources that are being closed. Returns those that stay open. */
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

/** Counts the resources that keep this process running, by Node's internal names, such as TCPServerWrap or Timeout. */
function countOpen() {
  // Node opens these pipes on first use, and newer versions count them too.
  void process.stdin;
  void process.stdout;
  void process.stderr;
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
