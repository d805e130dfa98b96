import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@deal-signals/db/database';
import { databaseFailure } from '@deal-signals/db/database-errors';
import {
  claimAlerts,
  type ClaimedAlert,
  completeAlert,
  discardAlert,
  postponeAlert,
  releaseAlert,
} from '@deal-signals/deliveries/alerts/claim-alerts';
import { alertBody } from '@deal-signals/deliveries/alerts/message';
import { noteSent, sendToChannel, type Sent } from '@deal-signals/deliveries/alerts/send';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { createSender } from '@deal-signals/sending/guard/guarded-send';
import type { Config } from '../config.ts';
import { sendToOperator } from './send-to-operator.ts';

/** This process's part in sending alerts. */
export interface Alerting {
  /** Interrupts what is being sent: another worker sends it, or this one after its next start. */
  stop(): Promise<void>;
}

/** What sending alerts needs. */
export interface AlertingContext {
  db: Database;
  logger: Logger;
  /** How soon to look for new alerts, in milliseconds. */
  pollMs: number;
}

/** Who is told. Each has slots of its own. */
interface Audience {
  ofOperator: boolean;
  /** How many messages are under way at the same time. */
  slots: number;
  /** Returns null if the process stops, and `unwanted` if nobody wants the message. */
  send: (alert: ClaimedAlert) => Promise<Sent | null | 'unwanted'>;
}

/** Chats respond within a second. */
const TIMEOUT_MS = 10_000;
/** A message and its outcome take less, while the database responds. */
const LEASE_MS = 3 * TIMEOUT_MS;
const CHANNEL_SLOTS = 20;
const OPERATOR_SLOTS = 5;

/**
 * Sends the alerts that are due, by a sender and in slots of its own: receivers of alerts that hang delay no delivery. Alerts are rows
 * that were written with what they tell, and Redis has no part in it.
 */
export function keepAlerting(
  { webhooks: settings, consoleUrl, operatorAlertsUrl }: Config,
  { db, logger, pollMs }: AlertingContext,
): Alerting {
  const stopping = new AbortController();
  const { signal } = stopping;
  const sender = createSender({ ...settings, timeoutMs: TIMEOUT_MS });

  const channels: Audience = {
    ofOperator: false,
    slots: CHANNEL_SLOTS,
    async send(alert) {
      const { companyId, channelId, channel, messageId: id, event: type } = alert;
      if (channel === null) return 'unwanted';
      const body = alertBody(channel.kind, alert, consoleUrl);
      const sent = await sendToChannel(sender, settings, { companyId, ...channel }, { id, type, body });
      if (sent !== null) await noteSent(db, companyId, channelId, sent.error);
      return sent;
    },
  };
  const operator: Audience = {
    ofOperator: true,
    slots: OPERATOR_SLOTS,
    async send(alert) {
      if (operatorAlertsUrl === null) return 'unwanted';
      const body = alertBody('webhook', alert, consoleUrl);
      return sendToOperator(operatorAlertsUrl, body, TIMEOUT_MS, signal);
    },
  };

  /** Sends one message and records what became of it. If that fails, the lease ends by itself. */
  async function run(alert: ClaimedAlert, send: Audience['send']): Promise<void> {
    const { companyId, channelId, endpointId, event } = alert;
    const facts = { companyId, channelId, endpointId, event };
    try {
      const sent = await send(alert);
      if (sent === 'unwanted') return await discardAlert(db, alert);
      if (sent === null) return await releaseAlert(db, alert);
      if (sent.error === null) {
        await completeAlert(db, alert);
        logger.info('alert sent', facts);
      } else {
        const isGivenUp = await postponeAlert(db, alert);
        logger.warn(isGivenUp ? 'alert given up' : 'alert not sent', { ...facts, ...sent });
      }
    } catch (error) {
      logger.error('alert failed', { ...facts, ...describeError(error) });
    }
  }

  async function sendAll({ ofOperator, slots, send }: Audience): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const claim = () => claimAlerts(db, { most: slots - underWay.size, leaseMs: LEASE_MS, ofOperator });
    while (!signal.aborted) {
      const claimed = await claim().catch((error: unknown) => {
        // An outage of the database is logged already.
        if (databaseFailure(error)?.meaning !== 'away')
          logger.error('alerts not claimed', describeError(error));
        return [];
      });
      for (const alert of claimed) {
        const sending = run(alert, send).finally(() => underWay.delete(sending));
        underWay.add(sending);
      }
      // A channel is told the next thing when it has responded.
      const responses = underWay.size > 0 ? [Promise.race(underWay)] : [];
      const pause = sleep(pollMs, undefined, { signal }).catch(() => {});
      await (underWay.size === slots ? responses[0] : Promise.race([pause, ...responses]));
    }
    await Promise.all(underWay);
  }

  const alerting = Promise.all([channels, operator].map(sendAll));
  return {
    async stop() {
      stopping.abort();
      sender.close();
      await alerting;
    },
  };
}
