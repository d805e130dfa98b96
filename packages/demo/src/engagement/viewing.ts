import type { Chapter } from '../deal/calls.ts';
import type { Random } from '../draw/random.ts';

/** A half-open range of seconds that was played. */
export type Segment = [from: number, to: number];

/** How people watch recordings. */
type Habit = 'to_the_end' | 'drops_off' | 'skips' | 'rewatches' | 'peeks';

/** How often each habit occurs, relative to the others. */
const HABITS: Record<Habit, number> = {
  to_the_end: 2,
  drops_off: 4,
  skips: 4,
  rewatches: 2,
  peeks: 2,
};

/**
 * Draws the ranges played in one session, in playing order. Some people watch everything, most drop off, many jump from
 * chapter to chapter, and some play the part that matters to them twice.
 */
export function drawSegments(random: Random, chapters: readonly Chapter[]): Segment[] {
  const end = chapters.at(-1)?.endSeconds ?? 0;
  const habit = random.weighted(HABITS);
  if (habit === 'to_the_end') return [[0, end]];
  if (habit === 'peeks') return [[0, random.integer(8, 70)]];
  // Attention fades: early exits are more frequent than late ones.
  if (habit === 'drops_off') return [[0, Math.max(15, Math.round(end * random.next() ** 1.6))]];
  if (habit === 'skips') {
    const chosen = random.sample(chapters.slice(1), random.integer(2, 3));
    const played = chosen.map((chapter) => playedOf(random, chapter)).toSorted(([a], [b]) => a - b);
    return [[0, random.integer(6, 30)], ...played];
  }
  const favourite = playedOf(random, random.pick(chapters.slice(1)));
  return [[0, Math.min(end, favourite[1] + random.integer(20, 240))], favourite];
}

/** Draws a range that covers most of a chapter and begins at or shortly after its start. */
function playedOf(random: Random, { startSeconds, endSeconds }: Chapter): Segment {
  const length = endSeconds - startSeconds;
  const from = startSeconds + Math.round(length * random.next() * 0.2);
  return [from, Math.max(from + 1, Math.round(from + (endSeconds - from) * (0.6 + random.next() * 0.4)))];
}

/** The furthest second that was played. */
export function furthestSecond(segments: readonly Segment[]): number {
  return Math.max(0, ...segments.map(([, to]) => to));
}
