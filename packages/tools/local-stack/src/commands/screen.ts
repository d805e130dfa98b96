import { escapeForTerminal } from '@deal-signals/db/escape-for-terminal';
import { TYPE_WIDTH } from '@deal-signals/demo/receiver/delivery-subject';
import type { ReceivedDelivery } from '@deal-signals/demo/receiver/receiver';
import type { Stack } from '../files/stack-file.ts';

const CODES = { bold: 1, dim: 2, red: 31, green: 32 };

/** Adds a colour or style to text. Returns the text unchanged if the output is not a terminal. */
export type Paint = (style: keyof typeof CODES, text: string) => string;

/** Returns the function that paints for a stream. */
export function painter(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): Paint {
  const isColoured = stream.isTTY && !environment['NO_COLOR'];
  return (style, text) => (isColoured ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text);
}

/**
 * Describes a running stack: its URL, the credentials, and commands to try first.
 *
 * @param firstRecord a record whose capture is one of the commands.
 */
export function describeStack(stack: Stack, paint: Paint, firstRecord?: object): string {
  const lines = [
    paint('bold', 'Deal Signals is up.'),
    '',
    `${paint('bold', 'Base URL')}   ${stack.apiUrl}`,
    `${paint('bold', 'Reference')}  ${stack.apiUrl}/docs`,
  ];
  const [company, ...others] = stack.companies;
  if (company !== undefined) {
    lines.push(
      `${paint('bold', 'Workspace')}  ${company.name} (${company.id})`,
      `${paint('bold', 'API key')}    ${company.apiKey}`,
      `${paint('bold', 'Console')}    ${consoleLink(stack.apiUrl, company.sessionToken)}`,
      '',
      paint('bold', 'Try, in another terminal'),
      curl(`${stack.apiUrl}/status`, company.apiKey),
      curl(`${stack.apiUrl}/engagement/events?limit=3`, company.apiKey),
      curl(`${stack.apiUrl}/webhooks`, company.sessionToken),
      ...(firstRecord === undefined
        ? []
        : [
            paint('bold', 'Post a record in, and see its webhook below'),
            `${curl(`${stack.captureUrl}/records`, stack.captureToken)} -d '${JSON.stringify(firstRecord)}'`,
          ]),
      '',
      ...others.map(({ name, id }) =>
        paint('dim', `Another workspace: ${name} (${id}); its keys are in .local/stack.json`),
      ),
    );
  } else {
    lines.push(
      '',
      'There is no demo data. Capture your own with "pnpm capture FILE",',
      'and create a session token with "pnpm session-token --company N".',
      '',
    );
  }
  lines.push(
    paint('dim', 'Logs: .local/api.log, .local/worker.log'),
    paint('dim', 'Ctrl-C stops everything.'),
  );
  return lines.join('\n');
}

/** Returns the heading above the deliveries. */
export function describeFeed(tickMs: number, paint: Paint): string {
  const seconds = Math.max(1, Math.round(tickMs / 1000));
  return [
    '',
    paint('bold', `Webhooks as they arrive (from a simulated sale; one tick is ${seconds} s)`),
    paint('dim', `${'time'.padEnd(8)} ${'event'.padEnd(TYPE_WIDTH)} signature  after  about`),
  ].join('\n');
}

/** Describes a delivery in one line of at most `columns` characters. */
export function describeDelivery(delivery: ReceivedDelivery, columns: number, paint: Paint): string {
  const time = delivery.receivedAt.toTimeString().slice(0, 8);
  if (!delivery.verified) {
    return `${time} ${paint('red', shorten(`REFUSED, invalid signature: ${delivery.reason}`, columns - 9))}`;
  }
  const seconds = (delivery.receivedAt.getTime() - delivery.createdAt.getTime()) / 1000;
  const type = escapeForTerminal(delivery.type).padEnd(TYPE_WIDTH);
  const after = `${seconds.toFixed(1)} s`.padStart(7);
  const used = `${time} ${type} verified ${after}  `.length;
  return `${time} ${type} ${paint('green', 'verified')} ${after}  ${shorten(delivery.subject, columns - used)}`;
}

/** The address of the console with a session. Browsers do not send the fragment, and the console removes it. */
function consoleLink(apiUrl: string, sessionToken: string): string {
  return `${new URL('/console/', apiUrl).href}#session=${sessionToken}`;
}

function curl(url: string, token: string): string {
  return `curl -s '${url}' -H 'Authorization: Bearer ${token}'`;
}

function shorten(text: string, length: number): string {
  const characters = Array.from(escapeForTerminal(text));
  return characters.length <= length
    ? characters.join('')
    : `${characters.slice(0, Math.max(0, length - 1)).join('')}…`;
}
