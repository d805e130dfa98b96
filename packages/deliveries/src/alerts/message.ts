import type { AlertChannelKind, AlertEvent } from '@deal-signals/outbox/alert-events';
import { API_VERSION } from '@deal-signals/outbox/event-types';

/**
 * The facts of a message. They contain no payload, and the host of the endpoint instead of its description, so no message contains
 * personal data that an erasure would have to find.
 */
export interface Alert {
  /** The same in each attempt to send it. */
  messageId: string;
  companyId: number;
  endpointId: number;
  /** Host and port of the endpoint. */
  host: string;
  event: AlertEvent;
  /** The number of occurrences since the last message. */
  count: number;
  consecutiveFailures: number;
  /** The last error of the endpoint, redacted as the console shows it. */
  lastError: string | null;
  /** The time of the last occurrence. */
  at: Date;
}

/** Slack accepts 150 characters in a header and 2,000 in a field. Teams accepts 28 KB in a message. */
const MAX_TITLE_CHARACTERS = 150;
const MAX_LINE_CHARACTERS = 500;

/** Builds the body of a message in the form that a kind of channel accepts. */
export function alertBody(kind: AlertChannelKind, alert: Alert, consoleUrl: string | null): string {
  const { endpointId, event } = alert;
  if (kind === 'webhook') return alertJson(alert, consoleUrl);
  const lines = [
    `Consecutive failures: ${alert.consecutiveFailures}`,
    ...(event !== 'deliveries.dead' && alert.count > 1
      ? [`Times since the last message: ${alert.count}`]
      : []),
    ...(alert.lastError === null ? [] : [`Last error: ${alert.lastError}`]),
    `At: ${alert.at.toISOString()}`,
  ];
  const message = { title: titleOf(alert), lines, link: consoleUrl && linkTo(consoleUrl, endpointId) };
  return JSON.stringify(kind === 'slack' ? slackBlocks(message) : teamsCard(message));
}

/** Builds the body of a test message. */
export function testBody(kind: AlertChannelKind, messageId: string, companyId: number): string {
  const text = 'Test of an alert channel';
  if (kind === 'webhook') {
    const createdAt = new Date().toISOString();
    return JSON.stringify({
      id: messageId,
      type: TEST_TYPE,
      apiVersion: API_VERSION,
      createdAt,
      companyId,
      data: { message: text },
    });
  }
  const message = { title: text, lines: ['Alerts about webhook endpoints will arrive here.'], link: null };
  return JSON.stringify(kind === 'slack' ? slackBlocks(message) : teamsCard(message));
}

/** The type of a test message. */
export const TEST_TYPE = 'alert.test';

/** Builds the JSON of a message for a program, in the envelope of webhooks. */
function alertJson(alert: Alert, consoleUrl: string | null): string {
  const { endpointId, host, count, consecutiveFailures, lastError } = alert;
  const url = consoleUrl && linkTo(consoleUrl, endpointId);
  return JSON.stringify({
    id: alert.messageId,
    type: alert.event,
    apiVersion: API_VERSION,
    createdAt: alert.at.toISOString(),
    companyId: alert.companyId,
    // The fields are listed one by one, because a claimed alert also contains the encrypted URL of its channel.
    data: { endpointId, host, count, consecutiveFailures, lastError, url },
  });
}

/** A message for a chat. */
interface Message {
  title: string;
  lines: readonly string[];
  /** The page of the endpoint in the console; null if CONSOLE_URL is not set. */
  link: string | null;
}

/** Builds a message of Slack's Block Kit. Only the link is not plain text, so nothing else can become a mention or a link. */
function slackBlocks({ title, lines, link }: Message) {
  const plain = (text: string, max: number) => ({
    type: 'plain_text',
    text: clip(text, max),
    emoji: false,
  });
  return {
    // Notifications show this text. Slack interprets it, so the characters that can begin a mention are escaped.
    text: escapeForSlack(clip(title, MAX_TITLE_CHARACTERS)),
    blocks: [
      { type: 'header', text: plain(title, MAX_TITLE_CHARACTERS) },
      { type: 'section', fields: lines.map((line) => plain(line, MAX_LINE_CHARACTERS)) },
      ...(link === null
        ? []
        : [
            {
              type: 'section',
              text: { type: 'mrkdwn', text: `<${escapeForSlack(link)}|Open the endpoint>` },
            },
          ]),
    ],
  };
}

/** Builds a message with an Adaptive Card, as Workflows in Teams accepts it. Teams does not interpret text runs as Markdown. */
function teamsCard({ title, lines, link }: Message) {
  const paragraph = (text: string, max: number, style = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: clip(text, max), ...style }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      paragraph(title, MAX_TITLE_CHARACTERS, { weight: 'Bolder', size: 'Medium' }),
      ...lines.map((line) => paragraph(line, MAX_LINE_CHARACTERS)),
    ],
    ...(link !== null && { actions: [{ type: 'Action.OpenUrl', title: 'Open the endpoint', url: link }] }),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

function titleOf({ event, endpointId, host, count }: Alert): string {
  const endpoint = `endpoint ${endpointId} (${host})`;
  const titles: Record<AlertEvent, string> = {
    'endpoint.failing': `Webhook ${endpoint} is failing`,
    'endpoint.disabled': `Webhook ${endpoint} was disabled`,
    'endpoint.recovered': `Webhook ${endpoint} has recovered`,
    'deliveries.dead': `${count} ${count === 1 ? 'delivery' : 'deliveries'} to ${endpoint} given up`,
  };
  return titles[event];
}

function linkTo(consoleUrl: string, endpointId: number): string {
  return `${consoleUrl.replace(/\/+$/, '')}/endpoints/${endpointId}`;
}

function clip(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

function escapeForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
