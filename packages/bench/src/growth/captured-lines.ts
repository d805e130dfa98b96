import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Database } from '@deal-signals/db/database';
import type { BenchContext } from '../context.ts';
import { addWorkspace } from '../data/delivery-workspaces.ts';
import { engagementEvent } from '../data/engagement-event.ts';
import type { CapturedFile, CaptureFile, CaptureFileOptions } from '../loader/capture-file-process.ts';
import { readMemory } from '../measure/memory.ts';
import { spreadOf } from '../measure/spread.ts';
import type { Row } from '../report/row.ts';
import { costRow } from './compare-sizes.ts';

const WORKSPACE = 1;
const LIMIT = 1.2;
const PATH = 'peak memory of a capture';
/** Lines that are written to the file at once. */
const CHUNK = 1_000;

/** Measures the memory of `pnpm capture` for a file with many lines, next to one with few. */
export async function measureCapturedLines(context: BenchContext): Promise<Row[]> {
  const { stack, options, say } = context;
  if (readMemory(process.pid) === null) {
    say('growth-lines: this machine has no /proc, so memory is not measured');
    return [];
  }
  const databaseUrl = await stack.createDatabase('growth_lines');
  const db = new Database({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'bench',
    statementTimeoutMs: 600_000,
  });
  await addWorkspace(db, WORKSPACE);
  const peaks: { name: string; mib: number }[] = [];
  for (const lines of [options.growth.fewLines, options.growth.lines]) {
    const name = `${lines.toLocaleString('en')} lines`;
    say(`${PATH}: ${name}`);
    peaks.push({ name, mib: await capturePeak(context, databaseUrl, db, lines) });
  }
  await db.close();
  const base = peaks[0]!;
  return peaks.map(({ name, mib }) => ({
    ...costRow(
      {
        group: 'growth-lines',
        path: PATH,
        unit: 'MiB',
        notes: ['One process for each file. Node.js and the loaded code are part of the memory.'],
      },
      name,
    ),
    value: spreadOf([mib]),
    cpuMs: {},
    ...(name !== base.name && { ratio: { ...spreadOf([mib / base.mib]), to: base.name } }),
    targets: name === base.name ? [] : [{ of: 'ratio', atMost: LIMIT }],
  }));
}

/** Captures a file in a process of its own; returns the most memory that this has taken, in MiB. */
async function capturePeak(
  { stack }: BenchContext,
  databaseUrl: string,
  db: Database,
  lines: number,
): Promise<number> {
  const file = path.join(stack.folder, `${lines}.ndjson`);
  await pipeline(Readable.from(linesOf(lines)), createWriteStream(file));
  const processOptions: CaptureFileOptions = { databaseUrl };
  const child = await stack.startChild<CaptureFile, CapturedFile>(
    new URL('../loader/capture-file-process.ts', import.meta.url),
    processOptions,
  );
  const before = await db.engagementEvent.count();
  const { exitCode } = await child.ask({ file });
  const peakMiB = readMemory(child.pid)?.peakMiB ?? Number.NaN;
  await child.stop();
  const stored = (await db.engagementEvent.count()) - before;
  if (exitCode !== 0 || stored !== lines) {
    throw new Error(`capture ended with ${exitCode}, and ${stored} of ${lines} events are stored`);
  }
  return peakMiB;
}

function* linesOf(count: number): Generator<string> {
  for (let from = 0; from < count; from += CHUNK) {
    const length = Math.min(CHUNK, count - from);
    yield Array.from({ length }, (_, n) => {
      const number = from + n;
      return `${JSON.stringify(engagementEvent(WORKSPACE, `line ${number} of ${count}`, number))}\n`;
    }).join('');
  }
}
