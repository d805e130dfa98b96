import type { components } from '../api/generated/console.ts';
import { boundedCount } from '../text/numbers.ts';
import { fullTime, hoursAndMinutes } from '../text/times.ts';

/** Why something was or was not delivered to the endpoints. */
export type Why = components['schemas']['Why'];
/** The reasons for one endpoint. */
export type WhyEndpoint = components['schemas']['WhyEndpoint'];
/** One reason. */
export type WhyVerdict = components['schemas']['WhyVerdict'];

/** The tone of a verdict: good news, a problem that resolves by itself, bad news, or neutral. */
export type Tone = 'good' | 'waiting' | 'bad' | 'plain';

const TONES: Record<string, Tone> = {
  delivered: 'good',
  waiting: 'waiting',
  rate_limited: 'waiting',
  in_progress: 'waiting',
  dead: 'bad',
  parked_disabled: 'bad',
  awaiting_verification: 'bad',
  disabled_then: 'bad',
  workspace_off: 'bad',
  unknown: 'bad',
};

/** Returns the tone of a verdict. */
export function verdictTone({ code, isCertain }: WhyVerdict): Tone {
  return isCertain ? (TONES[code] ?? 'plain') : 'plain';
}

/** Explains a verdict in one sentence. */
export function verdictSentence(verdict: WhyVerdict): string {
  const say = SENTENCES[verdict.code];
  const sentence =
    say === undefined ? `The API reports: ${verdict.code.replaceAll('_', ' ')}.` : say(verdict);
  return verdict.isCertain
    ? sentence
    : `If its last change caused an event: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

const SENTENCES: Record<string, (verdict: WhyVerdict) => string> = {
  delivered: ({ count, isCountExact, at, statusCode }) =>
    count === 1
      ? `Delivered on ${time(at)}${statusCode === null ? '' : `, and accepted with ${statusCode}`}.`
      : `${boundedCount(count, isCountExact)} events were delivered, the newest on ${time(at)}.`,
  waiting: (verdict) => {
    const { attempts, maxAttempts, error, until } = verdict;
    if (attempts === null || attempts === 0)
      return `${deliveries(verdict, 'is', 'are')} due and will be sent next.`;
    return `${deliveries(verdict, 'waits', 'wait')} until ${time(until)} for the next attempt: ${attempts} of ${maxAttempts ?? '?'} failed, the last with “${error ?? 'no error'}”.`;
  },
  rate_limited: (verdict) =>
    `${deliveries(verdict, 'waits', 'wait')} for the rate limit of the endpoint: it is limited to ${boundedCount(verdict.maxPerMinute ?? 1, true)} a minute${verdict.until === null ? '' : `, about ${hoursAndMinutes(Date.parse(verdict.until) - Date.now())}`}.`,
  in_progress: (verdict) => `${deliveries(verdict, 'is', 'are')} being sent at this moment.`,
  dead: (verdict) =>
    `${deliveries(verdict, 'was', 'were')} given up after ${countAttempts(verdict)}. The last error was “${verdict.error ?? 'no error'}”.`,
  dismissed: (verdict) =>
    `${deliveries(verdict, 'was', 'were')} given up after ${countAttempts(verdict)}, and an admin dismissed ${verdict.count === 1 ? 'it' : 'them'} on ${time(verdict.at)}.`,
  parked_disabled: (verdict) =>
    `${deliveries(verdict, 'waits', 'wait')} until the endpoint is enabled: it has been disabled${since(verdict)}${by(verdict)}.`,
  awaiting_verification: (verdict) =>
    `${deliveries(verdict, 'waits', 'wait')} until a test event succeeds at the endpoint.`,
  disabled_then: (verdict) =>
    `Not sent: the endpoint was disabled${since(verdict)}${by(verdict)}${end(verdict)}, and ${events(verdict)} happened in that period.`,
  workspace_off: (verdict) =>
    `Not sent: the API was switched off for the workspace${since(verdict)}${end(verdict)}.`,
  created_later: (verdict) =>
    `Not sent: the endpoint was only created on ${time(verdict.until)}, after ${events(verdict)}.`,
  removed: ({ since: at }) => `The endpoint was removed${at === null ? '' : ` on ${time(at)}`}.`,
  filtered: (verdict) =>
    `Not sent: the filter of the endpoint does not match ${events(verdict)}${verdict.since === null ? '' : `, and has been the same since ${time(verdict.since)}`}.`,
  not_subscribed: ({ eventTypes, until, count }) =>
    until === null
      ? `Not sent: the endpoint does not subscribe to ${list(eventTypes)}.`
      : `Not sent: until ${time(until)} the endpoint did not subscribe to ${list(eventTypes)}, and ${count === 1 ? 'the event was' : 'the events were'} before that.`,
  unknown: (verdict) =>
    `The endpoint should have received ${events(verdict)} but did not, and no stored record explains why.`,
  no_event: ({ at }) =>
    `No change in this period causes an event.${at === null ? '' : ` The last change was on ${time(at)}.`}`,
  no_such_event_type: () => 'There is no event type with that name.',
};

/** Summarises in one sentence what happened to the object. */
export function summarize({ code, object, happened, endpoints, lastChangedAt }: Why): string {
  const title = object.title ?? 'it';
  if (code === 'no_such_event_type')
    return 'There is no event type with that name, so nothing can be delivered.';
  if (code === 'no_event') {
    const last = lastChangedAt === null ? '' : ` It last changed on ${time(lastChangedAt)}.`;
    return `No change of ${title} in this period causes an event.${last}`;
  }
  if (code === 'no_endpoint') return 'The workspace has no endpoint, so no events are sent.';
  const certain = happened.filter(({ isCertain }) => isCertain);
  const total = certain.reduce((sum, { count }) => sum + count, 0);
  const isExact = certain.every(({ isCountExact }) => isCountExact);
  const all = endpoints.filter(({ verdicts }) => verdicts.every(({ code: one }) => one === 'delivered'));
  const what = total === 1 && isExact ? 'It' : `All of its ${boundedCount(total, isExact)} events`;
  if (all.length === endpoints.length) return `${what} reached ${every(endpoints.length)}.`;
  const some = `${all.length} of ${endpoints.length} endpoints`;
  return object.eventId === null
    ? `${boundedCount(total, isExact)} ${total === 1 && isExact ? 'event' : 'events'} of ${title} in this period. ${all.length === 0 ? 'No endpoint' : some} received all of them.`
    : `This event reached ${all.length === 0 ? 'no endpoint' : some}.`;
}

function every(count: number): string {
  return count === 1 ? 'the only endpoint' : `all ${count} endpoints`;
}

function deliveries({ count, isCountExact }: WhyVerdict, one: string, many: string): string {
  return count === 1 && isCountExact
    ? `1 delivery ${one}`
    : `${boundedCount(count, isCountExact)} deliveries ${many}`;
}

function events({ count, isCountExact }: WhyVerdict): string {
  return count === 1 && isCountExact ? '1 event' : `${boundedCount(count, isCountExact)} events`;
}

function countAttempts({ attempts }: WhyVerdict): string {
  return attempts === 1 ? '1 attempt' : `${attempts ?? 'all'} attempts`;
}

function since({ since: at }: WhyVerdict): string {
  return at === null ? '' : ` since ${time(at)}`;
}

function end({ until }: WhyVerdict): string {
  return until === null ? '' : ` until ${time(until)}`;
}

function by({ disabledBy, user, error }: WhyVerdict): string {
  if (disabledBy === 'admin') return ` by ${user?.name ?? 'an admin'}`;
  if (disabledBy === 'failures') return ' after too many failures in a row';
  if (disabledBy === 'gone') return ' because its receiver responded with 410 Gone';
  return error === null ? '' : ` (${error})`;
}

function list(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? 'it') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function time(at: string | null): string {
  return at === null ? 'an unknown time' : fullTime(new Date(at));
}
