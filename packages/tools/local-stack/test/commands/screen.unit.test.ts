import { describe, expect, test } from '@jest/globals';
import { describeDelivery, describeFeed, describeStack } from '../../src/commands/screen.ts';
import { signSessionToken } from '../../src/demo/sign-session-token.ts';
import type { Stack } from '../../src/files/stack-file.ts';

const plain = (_style: string, text: string) => text;
const sessionToken = signSessionToken(
  { userId: 2_000_000_000, companyId: 2_000_000_000, permissions: ['integrations.crm'], ttlSeconds: 60 },
  'secret',
);
const company = {
  id: 1001,
  name: 'Lanternfell Software',
  apiKey: `dsk_live_${'k'.repeat(43)}`,
  sessionToken,
};
const firstRecord = {
  record: 'event',
  companyId: 1001,
  key: 'hello-2026-09-01T12:00:00Z',
  type: 'room_visit',
  occurredAt: '2026-09-01T12:00:00Z',
  distributionId: '11111111-1111-4111-8111-111111111111',
  metadata: { title: 'your record' },
};
const stack: Stack = {
  apiUrl: 'http://127.0.0.1:65535/api/v1',
  workerUrl: 'http://127.0.0.1:65534',
  captureUrl: 'http://127.0.0.1:65533',
  captureToken: 't'.repeat(43),
  databaseUrl: 'postgresql://x',
  redisUrl: 'redis://x',
  caFile: 'ca.pem',
  companies: [company, { ...company, id: 1002, name: 'Pebblewright' }],
};

/** Returns the number of rows that a text takes on a terminal of 80 columns. */
function rows(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 80)), 0);
}

describe('the screen', () => {
  test('leaves room for deliveries on a terminal of 80 columns and 40 rows', () => {
    const text = `${describeStack(stack, plain, firstRecord)}\n${describeFeed(15_000, plain)}`;
    expect(rows(text)).toBeLessThanOrEqual(33);
  });

  test('has four complete curl commands', () => {
    const lines = describeStack(stack, plain, firstRecord)
      .split('\n')
      .filter((line) => line.startsWith('curl '));
    expect(lines).toEqual([
      `curl -s '${stack.apiUrl}/status' -H 'Authorization: Bearer ${company.apiKey}'`,
      `curl -s '${stack.apiUrl}/engagement/events?limit=3' -H 'Authorization: Bearer ${company.apiKey}'`,
      `curl -s '${stack.apiUrl}/webhooks' -H 'Authorization: Bearer ${company.sessionToken}'`,
      `curl -s '${stack.captureUrl}/records' -H 'Authorization: Bearer ${stack.captureToken}' -d '${JSON.stringify(firstRecord)}'`,
    ]);
  });

  test('shows no key without the demo', () => {
    expect(describeStack({ ...stack, companies: [] }, plain)).not.toMatch(/curl|dsk_live/);
  });

  test('prints a delivery on one line, however long its subject is', () => {
    const delivery = {
      verified: true as const,
      type: 'decision_room.esign.updated',
      eventId: 'e',
      deliveryId: '1',
      subject: 'A contract with a name that does not fit'.repeat(3),
      createdAt: new Date('2026-09-01T12:00:00.000Z'),
      receivedAt: new Date('2026-09-01T12:00:03.250Z'),
    };
    const line = describeDelivery(delivery, 80, plain);
    expect(line).toHaveLength(80);
    expect(line).toMatch(/^\d\d:\d\d:\d\d decision_room\.esign\.updated verified +3\.3 s {2}A contract.*…$/);
    const refused = { verified: false as const, reason: 'wrong '.repeat(30), receivedAt: new Date() };
    expect(describeDelivery(refused, 80, plain)).toMatch(/^.{9}REFUSED, invalid signature: wrong.{0,80}…$/);
  });

  test('prints no terminal control characters', () => {
    const delivery = {
      verified: true as const,
      type: 'new\u001B[31m.type',
      eventId: 'e',
      deliveryId: '1',
      subject: 'Globex\u001B]0;owned\u0007\u009B2J\nWebhooks\u202E',
      createdAt: new Date(),
      receivedAt: new Date(),
    };
    const refused = { verified: false as const, reason: delivery.subject, receivedAt: new Date() };
    for (const line of [delivery, refused].map((one) => describeDelivery(one, 120, plain))) {
      expect(line).toMatch(/Globex \]0;owned 2J Webhooks $/);
      expect(line).not.toMatch(/\p{Cc}|\p{Cf}/u);
    }
  });
});
