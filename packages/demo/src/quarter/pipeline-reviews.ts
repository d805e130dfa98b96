import { completionOf, drawParticipants, talkTimeOf } from '../deal/calls.ts';
import type { Random } from '../draw/random.ts';
import type { Timeline } from '../draw/timeline.ts';
import { PIPELINE_REVIEW } from '../texts/sales-talk.ts';
import { sellersOf, type Workspace } from './workspaces.ts';

/** Adds an internal meeting about all open deals, with its summary. */
export function addPipelineReview(
  timeline: Timeline,
  workspace: Workspace,
  occurredAt: Date,
  random: Random,
): void {
  const id = random.uuid('id');
  const durationSeconds = random.integer(22 * 60, 41 * 60);
  const completedAt = completionOf(random, occurredAt, durationSeconds);
  const manager = random.pick(sellersOf(workspace, 'sales_manager'));
  const participants = drawParticipants(
    [manager, ...sellersOf(workspace, 'account_executive')],
    [],
    durationSeconds,
    random,
  );
  timeline.add(
    completedAt,
    {
      record: 'call',
      companyId: workspace.id,
      id,
      kind: 'meeting',
      occurredAt: occurredAt.toISOString(),
      ownerId: manager.id,
      status: 'completed',
      completedAt: completedAt.toISOString(),
      title: random.pick(PIPELINE_REVIEW.title),
      durationSeconds,
      participants,
      talkTime: talkTimeOf(participants),
    },
    {
      record: 'callSummary',
      companyId: workspace.id,
      callId: id,
      summary: {
        schema: 'meeting.v2',
        headline: random.pick(PIPELINE_REVIEW.headline),
        participants: participants.map(({ name }) => `${name} (${workspace.name})`),
        keyTakeaways: random.sample(PIPELINE_REVIEW.takeaways, 2),
        decisions: random.sample(PIPELINE_REVIEW.decisions, 1),
        actionItems: random.sample(PIPELINE_REVIEW.actionItems, 2),
      },
    },
  );
}
