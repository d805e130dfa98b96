import { parseArgs } from 'node:util';
import { ON_ERROR, type OnError } from '@deal-signals/capture/stream/capture-options';
import { type CommandOptions, runCapture } from '@deal-signals/capture/stream/command';
import { escapeForTerminal } from '@deal-signals/db/escape-for-terminal';
import { LOCAL_FOLDER } from '../files/local-folder.ts';
import { findDatabaseUrl } from '../files/stack-file.ts';

const BAD_USAGE_EXIT_CODE = 2;

const USAGE = `usage: pnpm capture FILE [flags]
Captures records, one JSON object per line, from FILE or from standard input if FILE is "-".

  --on-error=stop      stop at the first rejected record (the default)
  --on-error=continue  skip rejected records and capture the others
  --dry-run            store nothing: validate all records, and check the first 1,000 of each workspace against the database
  --lenient            ignore fields that no record of the kind has
  --no-webhooks        send no webhooks for the changes, for example during an import of history
  --max-wait=600       maximum seconds to wait while another transaction writes to a workspace
  --help               show this help

Exit codes: 0 all records are captured, 1 a record was rejected or the capture failed, 2 wrong usage.
Uses the database of DATABASE_URL, or else that of the running "pnpm start".`;

/** `pnpm capture FILE`: captures newline-delimited JSON; `-` reads standard input. */
try {
  const { values, positionals } = parseArgs({
    strict: true,
    allowPositionals: true,
    options: {
      'on-error': { type: 'string', default: 'stop' },
      'dry-run': { type: 'boolean', default: false },
      lenient: { type: 'boolean', default: false },
      'no-webhooks': { type: 'boolean', default: false },
      'max-wait': { type: 'string', default: '600' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) console.log(USAGE);
  else {
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new Error('expected exactly one FILE');
    const options: CommandOptions = {
      onError: onErrorOf(values['on-error']),
      dryRun: values['dry-run'],
      lenient: values.lenient,
      noWebhooks: values['no-webhooks'],
      maxWaitMs: maxWaitOf(values['max-wait']),
    };
    const databaseUrl = await findDatabaseUrl(process.env, LOCAL_FOLDER);
    process.exitCode = await runCapture(file, databaseUrl, options);
  }
} catch (error) {
  console.error(`pnpm capture: ${escapeForTerminal((error as Error).message)}\n${USAGE}`);
  process.exitCode = BAD_USAGE_EXIT_CODE;
}

function onErrorOf(value: string): OnError {
  const known = ON_ERROR.find((one) => one === value);
  if (known === undefined) throw new Error(`--on-error: expected ${ON_ERROR.join(' or ')}, got "${value}"`);
  return known;
}

function maxWaitOf(value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw new Error(`--max-wait: expected a number of seconds, got "${value}"`);
  return Number(value) * 1_000;
}
