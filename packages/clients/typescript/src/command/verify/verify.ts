import { readFileSync } from 'node:fs';
import { verifyWebhook, WebhookError } from '../../webhooks/verify-webhook.ts';
import { EXIT_CODES, parse, parseSeconds, type Subcommand, UsageError } from '../command.ts';
import { escapeForTerminal } from '../escape-for-terminal.ts';
import { parseSavedDelivery, type SavedDelivery } from './saved-delivery.ts';

const HELP = `usage: deal-signals verify FILE [options]

Checks the signature of a saved delivery, and reports what is wrong with it. Needs no connection.

  FILE                an HTTP message: header lines, an empty line, and the body byte for byte;
                      or JSON: {"headers": {…}, "body": "…"}; - reads standard input
  --secret whsec_…    a secret of the endpoint; may be repeated; default: DEAL_SIGNALS_WEBHOOK_SECRET
  --tolerance N       maximum age of the signature in seconds; a receiver allows 300; default: any age

Exit code 0: valid; 6: not valid.`;

/** `deal-signals verify` */
export const verify: Subcommand = {
  summary: 'checks the signature of a saved delivery',
  help: HELP,
  async run(argv, { env, print, report }) {
    const { values, positionals } = parse({
      args: argv,
      allowPositionals: true,
      options: { secret: { type: 'string', multiple: true }, tolerance: { type: 'string' } },
    });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new UsageError('exactly one FILE is required');
    const secrets = values.secret ?? [env['DEAL_SIGNALS_WEBHOOK_SECRET'] ?? ''];
    if (secrets.includes('')) throw new UsageError('--secret is missing');
    const toleranceSeconds =
      values.tolerance === undefined
        ? Infinity
        : parseSeconds('tolerance', values.tolerance, { min: 0, max: 1e9 });
    const content = readFileSync(file === '-' ? 0 : file);
    const delivery = parseSavedDelivery(content);
    if (delivery === null) {
      throw new UsageError(`${file} is neither an HTTP message nor JSON with headers and a body`);
    }
    try {
      const { headers, body } = delivery;
      const { id, type, createdAt } = await verifyWebhook(body, headers, secrets, { toleranceSeconds });
      print(escapeForTerminal(`valid: ${type}, event ${id}, created at ${createdAt}`));
      return EXIT_CODES.done;
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      report(`not valid: ${escapeForTerminal(error.message)} (${error.code})`);
      if (error.code === 'SIGNATURE_MISMATCH' && (await isValidWithoutLastLineBreak(delivery, secrets))) {
        report('The body is valid without the line break at its end. An editor has probably added it.');
      }
      return EXIT_CODES.invalid;
    }
  },
};

async function isValidWithoutLastLineBreak(
  { headers, body }: SavedDelivery,
  secrets: readonly string[],
): Promise<boolean> {
  const shorter = Buffer.from(body)
    .toString('latin1')
    .replace(/\r?\n$/, '');
  if (shorter.length === body.length) return false;
  return verifyWebhook(Buffer.from(shorter, 'latin1'), headers, secrets, { toleranceSeconds: Infinity }).then(
    () => true,
    () => false,
  );
}
