import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { type CaptureInput, captureRecord } from '@deal-signals/capture/records/record';
import type { Receiver } from '@deal-signals/test-kit/servers/https-receiver';
import { addDelivery, DEAD } from '@deal-signals/test-kit/worlds/deliveries';
import type { TestApi } from '../test-api.ts';

const companyId = 1001;
const ROOM = '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6';
const CALL = '77999ead-81a1-5af9-bad6-fcf85c3c5763';
const LINK = '75ab4229-e29f-5724-9149-eeadb969b5bb';
const FORWARD = '7a8f6bbe-7fde-5868-a773-eb85056fca65';
const DOCUMENT = 'b89b18dd-5fe3-52ee-a695-e1f537e4fba0';

/** The ids of the objects in the examples. */
export const STORY = { companyId, room: ROOM, call: CALL, link: LINK };

/** The moment at which the published examples were taken. */
export const EXAMPLES_TAKEN_AT = Date.parse('2026-09-10T09:00:00.000Z');

/** A small sale, as it was when the published examples were taken, shifted to the present. */
export function exampleStory(now: number): CaptureInput[] {
  /** Returns a time of the story, shifted to the present. */
  const at = (text: string): string => new Date(now + Date.parse(text) - EXAMPLES_TAKEN_AT).toISOString();
  return [
    { record: 'company', id: companyId, name: 'Lanternfell Software' },
    { record: 'user', companyId, id: 501, name: 'Marta Eklund', email: 'marta.eklund@lanternfell.example' },
    {
      record: 'room',
      companyId,
      id: ROOM,
      name: 'Underhill Tools',
      slug: 'underhill-tools',
      ownerId: 501,
      primaryContactEmail: 'giulia.tremblay@underhill-tools.example',
      expectedCloseDate: '2026-12-18',
      dealValueCents: 5_200_000,
      createdAt: at('2026-09-01T14:02:11.000Z'),
    },
    {
      record: 'call',
      companyId,
      id: CALL,
      kind: 'demo',
      occurredAt: at('2026-09-01T12:00:00.000Z'),
      completedAt: at('2026-09-01T12:00:26.000Z'),
      ownerId: 501,
      title: 'Stock counts without paper',
      prospectName: 'Underhill Tools',
      durationSeconds: 24,
      roomId: ROOM,
      participants: [
        {
          name: 'Marta Eklund',
          email: 'marta.eklund@lanternfell.example',
          isHost: true,
          isInternal: true,
          talkSeconds: 15,
          talkPercent: 62.5,
          sources: ['calendar', 'transcript'],
        },
        {
          name: 'Giulia Tremblay',
          email: 'giulia.tremblay@underhill-tools.example',
          role: 'Head of Operations',
          talkSeconds: 9,
          talkPercent: 37.5,
          sources: ['transcript'],
        },
      ],
      talkTime: { source: 'transcript', totalSpeakerSeconds: 24 },
    },
    {
      record: 'callSummary',
      companyId,
      callId: CALL,
      summary: {
        schema: 'demo',
        headline: 'Wants weekly stock counts off paper before the winter season',
        company: 'Underhill Tools',
        timeline: 'Live in two shops by January',
        budgetSignals: 'Budget for this year is approved',
        contextForNextCall: 'Bring the rollout plan for the second shop',
        participants: ['Marta Eklund', 'Giulia Tremblay'],
        keyTakeaways: ['Counts take two evenings a week today'],
        nextSteps: ['Send the rollout plan'],
        painPoints: ['Counts are typed in twice'],
        topics: [
          {
            label: 'Counting today',
            summary: 'Two people with clipboards, typed in the next day',
            startSeconds: 0,
            endSeconds: 10,
          },
        ],
      },
    },
    { record: 'member', companyId, roomId: ROOM, name: 'Omar Reyes', role: 'Economic buyer', title: 'CFO' },
    {
      record: 'distribution',
      companyId,
      id: LINK,
      roomId: ROOM,
      callId: CALL,
      recipientName: 'Giulia Tremblay',
      recipientEmail: 'giulia.tremblay@underhill-tools.example',
    },
    {
      record: 'distribution',
      companyId,
      id: FORWARD,
      roomId: ROOM,
      callId: CALL,
      recipientName: 'Piet Vos',
      recipientEmail: 'piet.vos@underhill-tools.example',
      forwardedFromDistributionId: LINK,
    },
    {
      record: 'document',
      companyId,
      id: DOCUMENT,
      roomId: ROOM,
      title: 'Rollout plan',
      category: 'proposal',
    },
    {
      record: 'event',
      companyId,
      key: 'forwarded-visit',
      type: 'trailer_view',
      occurredAt: at('2026-09-02T08:30:00.000Z'),
      distributionId: FORWARD,
      metadata: { device: 'mobile' },
    },
    {
      record: 'event',
      companyId,
      key: 'plan-opened',
      type: 'doc_open',
      occurredAt: at('2026-09-08T15:20:00.000Z'),
      distributionId: LINK,
      docId: DOCUMENT,
    },
    {
      record: 'view',
      companyId,
      key: 'first-view',
      distributionId: LINK,
      startedAt: at('2026-09-02T07:00:00.000Z'),
      endedAt: at('2026-09-02T07:00:30.000Z'),
      segments: [
        [0, 18],
        [6, 12],
      ],
    },
    {
      record: 'view',
      companyId,
      key: 'plan-read',
      distributionId: LINK,
      docId: DOCUMENT,
      startedAt: at('2026-09-08T15:20:00.000Z'),
      endedAt: at('2026-09-08T15:23:05.000Z'),
      seconds: 170,
    },
    {
      record: 'actionItem',
      companyId,
      id: '31122e86-1f21-53aa-9be5-977b82d90978',
      roomId: ROOM,
      title: 'Share the list of shops',
      completedAt: at('2026-09-04T10:00:00.000Z'),
      completedBy: 'prospect',
    },
    {
      record: 'actionItem',
      companyId,
      id: '8bc9d0f7-6cfd-5089-9ec0-5713d87a64c8',
      roomId: ROOM,
      title: 'Security review',
    },
    {
      record: 'message',
      companyId,
      key: 'question',
      roomId: ROOM,
      side: 'seller',
      sentAt: at('2026-09-03T09:15:00.000Z'),
      text: 'The plan is in the room.',
    },
    {
      record: 'esign',
      companyId,
      id: 'agr_20931',
      roomId: ROOM,
      vendor: 'penandink',
      envelopeId: 'env_7c41',
      status: 'viewed',
      subject: 'Order form',
      recipientCount: 2,
      sentAt: at('2026-09-08T10:00:00.000Z'),
      firstViewedAt: at('2026-09-08T11:45:00.000Z'),
      lastEventAt: at('2026-09-08T11:45:00.000Z'),
    },
  ];
}

/** A person who appears in no other example. */
const ERASED = {
  room: '3f0c1c7e-1c8e-4b43-8d0a-0d0f4a8b6f01',
  link: '3f0c1c7e-1c8e-4b43-8d0a-0d0f4a8b6f02',
  email: 'art.core@vandelay.example',
};

/**
 * Calls each management operation once, like an admin: a key, an endpoint, a test that arrives, two that fail, their retries, and
 * the test of a URL.
 *
 * @returns the responses, by operation id.
 */
export async function manageExamples(
  api: TestApi,
  token: string,
  receiver: Receiver,
): Promise<Record<string, unknown>> {
  const responses: Record<string, unknown> = {};
  const keep = async (operationId: string, request: ReturnType<TestApi['get']>): Promise<any> => {
    const { status, body } = await request;
    if (status > 299) throw new Error(`${operationId} responded with ${status}`);
    responses[operationId] ??= body;
    return body;
  };
  await keep('createApiKey', api.post('/api-keys', token, { name: 'Data warehouse' }));
  await keep('listApiKeys', api.get('/api-keys', token));
  const [oldest] = (await api.get('/api-keys', token)).body.data;
  await keep('rotateApiKey', api.post(`/api-keys/${oldest.id}/rotate`, token, { overlapSeconds: 3600 }));
  const fields = { url: receiver.url, events: ['*'], description: 'CRM' };
  const { data: endpoint } = await keep('createWebhook', api.post('/webhooks', token, fields));
  const path = `/webhooks/${endpoint.id}`;
  await keep('listWebhooks', api.get('/webhooks', token));
  await keep('getWebhook', api.get(path, token));
  await keep('updateWebhook', api.patch(path, token, { enabled: true }));
  await keep('rotateWebhookSecret', api.post(`${path}/rotate-secret`, token));

  await keep('pingWebhook', api.post(`${path}/ping`, token));
  receiver.respond({ status: 503, headers: { 'retry-after': '120' }, body: 'down for maintenance' });
  const { data: failed } = await keep('pingWebhook', api.post(`${path}/ping`, token));
  await keep('listEndpointDeliveries', api.get(`${path}/deliveries?limit=1`, token));
  await keep('getEndpointDelivery', api.get(`${path}/deliveries/${failed.id}`, token));
  await keep('retryDelivery', api.post(`${path}/deliveries/${failed.id}/retry`, token));
  await keep('pingWebhook', api.post(`${path}/ping`, token));
  // No worker runs, so no other delivery becomes dead.
  const dead = { ...DEAD, companyId: STORY.companyId };
  await addDelivery(api.db, endpoint.id, dead);
  await keep('retryDeadDeliveries', api.post(`${path}/retry-dead`, token));
  await addDelivery(api.db, endpoint.id, dead);
  await keep('dismissDeadDeliveries', api.post(`${path}/dismiss-dead`, token));
  await keep('resendDelivery', api.post(`${path}/deliveries/${failed.id}/resend`, token));
  await keep('resendDeliveries', api.post(`${path}/resend`, token));
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await keep('replayMissingEvents', api.post(`${path}/replay-missing`, token, { since }));
  receiver.respond(200);
  const channel = { kind: 'webhook', url: receiver.url, description: 'On-call' };
  const { data: added } = await keep('createAlertChannel', api.post('/alert-channels', token, channel));
  await keep('listAlertChannels', api.get('/alert-channels', token));
  await keep(
    'updateAlertChannel',
    api.patch(`/alert-channels/${added.id}`, token, { description: 'On-call' }),
  );
  await keep('testAlertChannel', api.post(`/alert-channels/${added.id}/test`, token));
  await keep('testWebhookUrl', api.post('/webhooks/test', token, { url: receiver.url }));
  const tried = { filter: { type: 'doc_open' }, events: ['engagement.recorded'] };
  await keep('testWebhookFilter', api.post('/webhooks/test-filter', token, tried));
  const { room, link, email } = ERASED;
  await captureRecords(
    api.db,
    [
      { record: 'room', id: room, name: 'Vandelay' },
      { record: 'distribution', id: link, roomId: room, recipientName: 'Art Core', recipientEmail: email },
      { record: 'event', key: 'art', type: 'room_visit', occurredAt: '2026-09-10', distributionId: link },
      {
        record: 'message',
        key: 'art',
        roomId: room,
        side: 'seller',
        sentAt: '2026-09-10',
        text: 'Hi Art Core',
      },
    ].map((record) => captureRecord.parse({ companyId: STORY.companyId, ...record })),
  );
  await keep('previewErasure', api.post('/console/api/erasures/preview', token, { email }));
  await keep('createErasure', api.post('/console/api/erasures', token, { email }));
  await keep('listAuditRecords', api.get('/audit-log?limit=1', token));
  return responses;
}
