import type { Database } from '@deal-signals/db/database';
import { ALERT_EVENTS, type AlertChannelKind, type AlertEvent } from '@deal-signals/outbox/alert-events';
import { encryptAlertTarget } from '@deal-signals/sending/secrets/alert-target';
import { secretKeys } from '@deal-signals/sending/secrets/secret-keys';
import { TEST_SECRETS } from '../processes.ts';
import { SIGNING_SECRET } from './deliveries.ts';
import { COMPANY } from './ids.ts';

interface ChannelFields {
  companyId?: number;
  kind?: AlertChannelKind;
  url?: string;
  events?: readonly AlertEvent[];
}

/** Adds an alert channel and returns its id. By default it gets all events, and nothing listens at its URL. */
export async function addAlertChannel(
  db: Database,
  {
    companyId = COMPANY,
    kind = 'webhook',
    url = 'https://127.0.0.1:1/',
    events = ALERT_EVENTS,
  }: ChannelFields = {},
): Promise<number> {
  const keys = secretKeys.parse(TEST_SECRETS.SECRETS_KEY);
  const secret = kind === 'webhook' ? SIGNING_SECRET : null;
  const { id } = await db.alertChannel.create({
    data: {
      companyId,
      kind,
      host: new URL(url).host,
      events: [...events],
      targetCiphertext: encryptAlertTarget(keys, companyId, { url, secret }),
    },
  });
  return id;
}
