import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Attack, AttackReport } from './attacker-process.ts';

const EXIT_TIMEOUT_MS = 10_000;

/** An attacker of the service. It has its own process, so that it does not disturb the measurement of the others. */
export interface Attacker {
  /** Ends the attack; returns what it met with. */
  stop(): Promise<AttackReport>;
}

const running = new Set<ChildProcess>();

/** Starts an attack and returns once it is under way. */
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

/** Ends the attackers that still run, for a test that failed. */
export function endAttackers(): void {
  for (const child of running) child.kill('SIGKILL');
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the attacker ended with ${code}`)));
  });
}
