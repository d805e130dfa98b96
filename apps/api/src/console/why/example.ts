import type { Why } from '@deal-signals/serializers/console/why/schema';
import { webhookDeliveryExample } from '@deal-signals/serializers/examples/webhooks/webhook-delivery';
import { verdictOf } from './diagnose.ts';

const endpoint = {
  id: 1,
  url: 'https://hooks.crm.example/deal-signals',
  description: 'CRM',
  events: ['*'],
  filter: null,
  enabled: true,
  disabledReason: null,
  awaitingVerification: false,
  createdAt: '2026-09-10T09:00:01.985Z',
  removedAt: null,
};

/** A room whose change was delivered to one endpoint, but not to another that was disabled. */
export const whyExample: Why = {
  object: {
    kind: 'room',
    id: '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6',
    title: 'Underhill Tools',
    roomId: '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6',
    callId: null,
    eventId: null,
    eventType: null,
  },
  since: '2026-09-04T09:00:00.000Z',
  until: '2026-09-11T09:00:00.000Z',
  lookedBackTo: null,
  code: null,
  lastChangedAt: '2026-09-10T09:00:04.621Z',
  happened: [
    {
      eventType: 'decision_room.updated',
      count: 1,
      written: 1,
      isCountExact: true,
      isCertain: true,
      firstAt: '2026-09-10T09:00:04.621Z',
      lastAt: '2026-09-10T09:00:04.621Z',
      sources: ['webhook_events'],
    },
  ],
  workspaceChanges: [],
  endpoints: [
    {
      endpoint,
      verdicts: [
        verdictOf('delivered', {
          count: 1,
          eventTypes: ['decision_room.updated'],
          at: '2026-09-10T09:00:04.930Z',
          since: '2026-09-10T09:00:04.621Z',
          attempts: 1,
          maxAttempts: 8,
          statusCode: 200,
          deliveryId: webhookDeliveryExample.id,
        }),
      ],
      deliveries: [webhookDeliveryExample],
      changes: [],
    },
    {
      endpoint: {
        ...endpoint,
        id: 2,
        url: 'https://lake.example/hook',
        description: 'Data lake',
        enabled: false,
        disabledReason: '20 consecutive failed attempts',
      },
      verdicts: [
        verdictOf('disabled_then', {
          count: 1,
          eventTypes: ['decision_room.updated'],
          at: '2026-09-10T09:00:04.621Z',
          since: '2026-09-10T09:00:03.112Z',
          disabledBy: 'failures',
          timeIs: 'recorded',
        }),
      ],
      deliveries: [],
      changes: [
        {
          at: '2026-09-10T09:00:03.112Z',
          action: 'webhook.disabled',
          auditRecordId: '1789030800002000',
          user: null,
          details: { reason: 'failures', consecutiveFailures: 20 },
        },
      ],
    },
  ],
};
