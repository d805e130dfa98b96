import { describe, expect, test } from '@jest/globals';
import { verdictSentence, summarize, verdictTone, type Why, type WhyVerdict } from '../src/why/sentences.ts';

const NOON = '2026-09-10T12:00:00.000Z';
/** A time in the reader's zone, which varies. */
const TIME = String.raw`\d{1,2} Sept? 2026, \d\d:00:00`;

const verdict = (fields: Partial<WhyVerdict>): WhyVerdict => ({
  code: 'delivered',
  count: 1,
  isCountExact: true,
  isCertain: true,
  eventTypes: ['decision_room.updated'],
  at: NOON,
  since: null,
  until: null,
  attempts: null,
  maxAttempts: null,
  maxPerMinute: null,
  statusCode: null,
  error: null,
  deliveryId: null,
  disabledBy: null,
  user: null,
  timeIs: null,
  ...fields,
});

describe('a verdict is one sentence', () => {
  test.each<[Partial<WhyVerdict>, string, ReturnType<typeof verdictTone>]>([
    [{ statusCode: 200 }, `Delivered on ${TIME}, and accepted with 200.`, 'good'],
    [{ count: 7 }, `7 events were delivered, the newest on ${TIME}.`, 'good'],
    [
      { code: 'waiting', attempts: 2, maxAttempts: 8, error: 'timeout', until: NOON },
      `1 delivery waits until ${TIME} for the next attempt: 2 of 8 failed, the last with “timeout”.`,
      'waiting',
    ],
    [{ code: 'waiting', count: 3 }, '3 deliveries are due and will be sent next.', 'waiting'],
    [
      {
        code: 'rate_limited',
        count: 90,
        maxPerMinute: 1,
        until: new Date(Date.now() + 90 * 60_000 - 500).toISOString(),
      },
      '90 deliveries wait for the rate limit of the endpoint: it is limited to 1 a minute, about 1 h 30 min.',
      'waiting',
    ],
    [{ code: 'in_progress' }, '1 delivery is being sent at this moment.', 'waiting'],
    [
      { code: 'dead', attempts: 8, error: 'host not found' },
      '1 delivery was given up after 8 attempts. The last error was “host not found”.',
      'bad',
    ],
    [
      { code: 'dismissed', count: 2, attempts: 1 },
      `2 deliveries were given up after 1 attempt, and an admin dismissed them on ${TIME}.`,
      'plain',
    ],
    [
      { code: 'parked_disabled', since: NOON, disabledBy: 'failures' },
      `1 delivery waits until the endpoint is enabled: it has been disabled since ${TIME}.*`,
      'bad',
    ],
    [
      { code: 'disabled_then', since: NOON, until: NOON, disabledBy: 'gone' },
      `Not sent: the endpoint was disabled since ${TIME}.*, and 1 event happened in that period.`,
      'bad',
    ],
    [
      { code: 'workspace_off', since: NOON },
      `Not sent: the API was switched off for the workspace since ${TIME}.`,
      'bad',
    ],
    [
      { code: 'created_later', until: NOON, count: 2 },
      `Not sent: the endpoint was only created on ${TIME}, after 2 events.`,
      'plain',
    ],
    [{ code: 'removed', since: NOON }, `The endpoint was removed on ${TIME}.`, 'plain'],
    [
      { code: 'not_subscribed' },
      'Not sent: the endpoint does not subscribe to decision_room.updated.',
      'plain',
    ],
    [
      { code: 'filtered', count: 3, since: NOON },
      `Not sent: the filter of the endpoint does not match 3 events, and has been the same since ${TIME}.`,
      'plain',
    ],
    [{ code: 'filtered' }, 'Not sent: the filter of the endpoint does not match 1 event.', 'plain'],
    [
      { code: 'awaiting_verification' },
      '1 delivery waits until a test event succeeds at the endpoint.',
      'bad',
    ],
    [
      { code: 'unknown' },
      'The endpoint should have received 1 event but did not, and no stored record explains why.',
      'bad',
    ],
    [{ code: 'of_tomorrow' }, 'The API reports: of tomorrow.', 'plain'],
  ])('%j', (fields, sentence, tone) => {
    expect(verdictSentence(verdict(fields))).toMatch(new RegExp(`^${sentence}$`));
    expect(verdictTone(verdict(fields))).toBe(tone);
  });

  test('marks a verdict that is only possible', () => {
    const possible = verdict({ code: 'not_subscribed', isCertain: false });
    expect(verdictSentence(possible)).toBe(
      'If its last change caused an event: not sent: the endpoint does not subscribe to decision_room.updated.',
    );
    expect(verdictTone(verdict({ code: 'unknown', isCertain: false }))).toBe('plain');
  });
});

describe('the summary', () => {
  const why = (codes: string[][], fields: Partial<Why> = {}): Why =>
    ({
      code: null,
      object: { title: 'Globex', eventId: null },
      happened: [{ count: 2, isCountExact: true, isCertain: true }],
      endpoints: codes.map((of) => ({ verdicts: of.map((code) => verdict({ code })) })),
      lastChangedAt: null,
      ...fields,
    }) as unknown as Why;

  test.each<[string, Why]>([
    ['All of its 2 events reached the only endpoint.', why([['delivered']])],
    ['All of its 2 events reached all 2 endpoints.', why([['delivered'], ['delivered']])],
    [
      '2 events of Globex in this period. 1 of 2 endpoints received all of them.',
      why([['delivered'], ['dead', 'delivered']]),
    ],
    ['2 events of Globex in this period. No endpoint received all of them.', why([['dead']])],
    ['The workspace has no endpoint, so no events are sent.', why([], { code: 'no_endpoint' })],
    ['No change of Globex in this period causes an event.', why([], { code: 'no_event' })],
  ])('%s', (sentence, of) => expect(summarize(of)).toBe(sentence));
});
