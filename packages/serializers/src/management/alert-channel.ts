import type { AlertChannel as AlertChannelColumns } from '@deal-signals/db/generated/client';
import { ALERT_CHANNEL_KINDS, ALERT_EVENTS } from '@deal-signals/outbox/alert-events';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** The schema of an alert channel. The URL of a chat is a secret, so no object shows it. */
export const alertChannel = z
  .object({
    id: z.int(),
    kind: z.string().meta({
      description: `The form of the messages: ${quoted(ALERT_CHANNEL_KINDS)}. Open enumeration: new values may appear`,
    }),
    host: z.string().meta({ description: 'Host and port of the URL, which is never shown' }),
    events: z.array(z.string()).meta({
      description: `The events that it gets: ${quoted(ALERT_EVENTS)}. Open enumeration: new values may appear`,
    }),
    description: z.string().nullable(),
    createdAt: dateTime,
    lastSentAt: dateTime.nullable().meta({ description: 'When a message was last accepted' }),
    lastErrorAt: dateTime.nullable().meta({ description: 'When a message was last not accepted' }),
    lastError: z.string().nullable().meta({
      description: 'Why the last message was not accepted; null if it was',
    }),
  })
  .meta({ id: 'AlertChannel' });

/** An alert channel as the API shows it. */
export type AlertChannel = z.infer<typeof alertChannel>;

/** The columns an alert channel object is built from. */
export type AlertChannelRow = Omit<AlertChannelColumns, 'companyId' | 'targetCiphertext'>;

/** Builds the API object of an alert channel. */
export function serializeAlertChannel(row: AlertChannelRow): AlertChannel {
  return {
    id: row.id,
    kind: row.kind,
    host: row.host,
    events: row.events,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
    lastSentAt: dateTimeOrNull(row.lastSentAt),
    lastErrorAt: dateTimeOrNull(row.lastErrorAt),
    lastError: row.lastError,
  };
}
