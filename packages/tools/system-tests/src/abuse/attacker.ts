import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Attack, AttackReport } from './attacker-process.ts';

const EXIT_TIMEOUT_MS = 10_000;

/** An abuser of the service, in a process of its own so that the measurements of others are not disturbed. */
export interface Attacker {
  /** Ends the attack. Returns its outcome. */
  stop(): Promise<AttackReport>;
}

const running = new Set<ChildProcess>();

/** Starts an attack and returns once it is in progress. */
export async function startAttack(attack: Attack): Promise<Attacker> {
  const child = fork(new URL('./attacker-process.ts', import.meta.url), [JSON.stringify(attack)], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  await nextMessage(child);
  return {
    async stop() {
      const report = nextMessage(child);
      child.send('stop');
      const message = await report;
      child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_TIMEOUT_MS);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      clearTimeout(timer);
      return message as AttackReport;
    },
  };
}

/** Stops attackers that are still running, for a test that failed. */
export function endAttackers(): void {
  for (const child of running) child.kill('SIGKILL');
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the attacker ended with ${code}`)));
  });
}
