import { fillIn } from '../random/fill-in.ts';
import { calendarDate, DAY_MS, HOUR_MS, later, momentBetween, part } from '../random/moments.ts';
import type { InputOf, Timeline } from '../random/timeline.ts';
import { ACTION_PLAN } from '../texts/room-talk.ts';
import type { Stage } from './deal-outlines.ts';
import type { Deal } from './deals.ts';
import type { Milestones } from './milestones.ts';
import { eventInput, type ShareLink } from './share-links.ts';

/** How much of the plan is complete at each stage, on the scale of `due` in the plan. */
const PROGRESS: Record<Stage, number> = { discovery: 0.2, demo: 0.4, evaluation: 0.72, contract: 0.9 };

/** Returns the record of an item of the plan. */
export function actionItemInput(
  deal: Deal,
  title: string,
  dueDate: Date,
  done?: { at: Date; by: 'prospect' | 'seller' },
): InputOf<'actionItem'> {
  return {
    record: 'actionItem',
    id: deal.random.uuid(`action item ${title}`),
    roomId: deal.roomId,
    title,
    dueDate: calendarDate(dueDate),
    ...(done && { completedAt: done.at.toISOString(), completedBy: done.by }),
  };
}

/** Returns the records of a buyer checking off an item of the plan: the item and the engagement event. */
export function checkOffInputs(
  deal: Deal,
  link: ShareLink,
  title: string,
  dueDate: Date,
  at: Date,
): [InputOf<'actionItem'>, InputOf<'event'>] {
  const item = actionItemInput(deal, title, dueDate, { at, by: 'prospect' });
  const metadata = { actionItemId: item.id, title };
  return [item, eventInput(link, 'map_checkoff', at, item.id, { metadata })];
}

/** Adds the mutual action plan. Most items due by now are done, some of them late; a few were forgotten. */
export function addActionPlan(
  timeline: Timeline,
  deal: Deal,
  stage: Stage,
  { roomAt, closedAt }: Milestones,
  link: ShareLink,
): void {
  const random = deal.random.fork('action plan');
  const { status, startAt, endAt, facts } = deal;
  for (const { title: template, by, due } of ACTION_PLAN) {
    const title = fillIn(template, facts);
    const dueDate = part(startAt, closedAt ?? deal.expectedCloseDate, due);
    const isDone = status === 'won' || (due <= PROGRESS[stage] && !random.chance(0.12));
    const plannedAt = later(dueDate, random.integer(-4, 3) * DAY_MS - random.integer(0, 7) * HOUR_MS);
    // If the planned time is before the room was opened or after the last activity, draw another one.
    const isPossible = plannedAt > roomAt && plannedAt < endAt;
    const at = isPossible || !isDone ? plannedAt : momentBetween(random, part(roomAt, endAt, due / 2), endAt);
    if (!isDone) timeline.add(roomAt, actionItemInput(deal, title, dueDate));
    else if (by === 'prospect') timeline.add(at, ...checkOffInputs(deal, link, title, dueDate, at));
    else timeline.add(at, actionItemInput(deal, title, dueDate, { at, by }));
  }
}
