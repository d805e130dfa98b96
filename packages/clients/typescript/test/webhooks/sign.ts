import { createHmac } from 'node:crypto';

export const SECRET = `whsec_${Buffer.alloc(32, 0xfb).toString('base64')}`;
export const NOW = new Date('2026-09-01T12:00:00Z');

/** The body of a delivery. */
export const BODY = JSON.stringify({
  id: '3f8e9d2c-5b1a-4c7d-8e6f-0a1b2c3d4e5f',
  type: 'integration.ping',
  apiVersion: '2026-09-01',
  createdAt: '2026-09-01T11:59:59.000Z',
  companyId: 1,
  data: { endpointId: 1, message: 'Grüße 👋' },
});

const seconds = (at: Date) => String(Math.floor(at.getTime() / 1_000));

/** Returns the signature header of the service. */
export function serviceHeaders(body: string, secrets: readonly string[], at: Date): Record<string, string> {
  const t = seconds(at);
  const values = secrets.map((secret) => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
  return { 'x-service-signature': [`t=${t}`, ...values.map((v1) => `v1=${v1}`)].join(',') };
}

/** Returns the headers of Standard Webhooks. */
export function standardHeaders(body: string, secrets: readonly string[], at: Date): Record<string, string> {
  const t = seconds(at);
  const values = secrets.map((secret) =>
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(`msg_1.${t}.${body}`)
      .digest('base64'),
  );
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': t,
    'webhook-signature': values.map((value) => `v1,${value}`).join(' '),
  };
}
