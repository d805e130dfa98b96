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
import { recordAlertResult, sendToChannel, type AlertResult } from '@deal-signals/deliveries/alerts/send';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { createSender } from '@deal-signals/sending/guard/guarded-send';
import type { Config } from '../config.ts';
import { sendToOperator } from './send-to-operator.ts';

/** A running sender of alerts. */
export interface AlertSender {
  /** Interrupts the attempts that are running. Another worker repeats them, or this one after its next start. */
  stop(): Promise<void>;
}

/** The resources that the sender of alerts uses. */
export interface AlertSenderContext {
  db: Database;
  logger: Logger;
  /** The interval between two looks for alerts that are due, in milliseconds. */
  pollMs: number;
}

/** The receivers of alerts, which are either channels or the operator. Each audience has its own slots. */
interface Audience {
  forOperator: boolean;
  /** The maximum number of attempts at the same time. */
  slots: number;
  /** Returns null if the process stops, and `unwanted` if the receiver no longer exists. */
  send: (alert: ClaimedAlert) => Promise<AlertResult | null | 'unwanted'>;
}

/** Chats usually respond within a second. */
const TIMEOUT_MS = 10_000;
/** Longer than an attempt and the statement that records its result. */
const LEASE_MS = 3 * TIMEOUT_MS;
const CHANNEL_SLOTS = 20;
const OPERATOR_SLOTS = 5;

/**
 * Sends alerts when they are due, without Redis. It has its own sender and slots, so a receiver of alerts that hangs delays no
 * delivery.
 */
export function startAlertSender(
  { webhooks: settings, consoleUrl, operatorAlertsUrl }: Config,
  { db, logger, pollMs }: AlertSenderContext,
): AlertSender {
  const stopping = new AbortController();
  const { signal } = stopping;
  const sender = createSender({ ...settings, timeoutMs: TIMEOUT_MS });

  const channels: Audience = {
    forOperator: false,
    slots: CHANNEL_SLOTS,
    async send(alert) {
      const { companyId, channel, messageId: id, event: type } = alert;
      if (channel === null) return 'unwanted';
      const body = alertBody(channel.kind, alert, consoleUrl);
      return sendToChannel(sender, settings, { companyId, ...channel }, { id, type, body });
    },
  };
  const operator: Audience = {
    forOperator: true,
    slots: OPERATOR_SLOTS,
    async send(alert) {
      if (operatorAlertsUrl === null) return 'unwanted';
      const body = alertBody('webhook', alert, consoleUrl);
      return sendToOperator(operatorAlertsUrl, body, TIMEOUT_MS, signal);
    },
  };

  /** Sends one message and records the result. If recording fails, the claim ends with its lease. */
  async function sendAlert(alert: ClaimedAlert, send: Audience['send']): Promise<void> {
    const { companyId, channelId, endpointId, event } = alert;
    const facts = { companyId, channelId, endpointId, event };
    try {
      // The claim may have been under way when the process was stopped, after which nothing interrupts an attempt.
      const sent = signal.aborted ? null : await send(alert);
      if (sent === 'unwanted') return await discardAlert(db, alert);
      if (sent === null) return await releaseAlert(db, alert);
      if (sent.error === null) {
        await completeAlert(db, alert);
        logger.info('alert sent', facts);
      } else {
        const isGivenUp = await postponeAlert(db, alert);
        logger.warn(isGivenUp ? 'alert given up' : 'alert not sent', { ...facts, ...sent });
      }
      // After the alert, because an admin who changes the channel may have locked its row.
      if (alert.channel !== null) await recordAlertResult(db, companyId, channelId, sent.error);
    } catch (error) {
      logger.error('alert failed', { ...facts, ...describeError(error) });
    }
  }

  async function sendAll({ forOperator, slots, send }: Audience): Promise<void> {
    const running = new Set<Promise<void>>();
    const claim = () => claimAlerts(db, { max: slots - running.size, leaseMs: LEASE_MS, forOperator });
    while (!signal.aborted) {
      const claimed = await claim().catch((error: unknown) => {
        // The database reports its outage itself.
        if (databaseFailure(error)?.meaning !== 'away')
          logger.error('alerts not claimed', describeError(error));
        return [];
      });
      for (const alert of claimed) {
        const sending = sendAlert(alert, send).finally(() => running.delete(sending));
        running.add(sending);
      }
      // A response frees its channel for the next alert.
      const responses = running.size > 0 ? [Promise.race(running)] : [];
      const pause = sleep(pollMs, undefined, { signal }).catch(() => {});
      await (running.size === slots ? responses[0] : Promise.race([pause, ...responses]));
    }
    await Promise.all(running);
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
