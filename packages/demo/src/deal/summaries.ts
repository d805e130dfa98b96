import { fillIn } from '../draw/fill-in.ts';
import type { InputOf } from '../draw/timeline.ts';
import type { Theme } from '../texts/offer.ts';
import { BUDGET_SIGNALS, TIMELINES } from '../texts/sales-talk.ts';
import { KIND, TALK, type DealCall } from './calls.ts';
import type { Deal } from './deals.ts';

/** The summary in a call summary record. */
export type SummaryInput = InputOf<'callSummary'>['summary'];

/**
 * Writes the summary of a call about a deal.
 *
 * @param revision 1 for the first summary. A later revision states the same facts in other words, a little longer.
 */
export function summarize(deal: Deal, call: DealCall, revision = 1): SummaryInput {
  const random = deal.random.fork(`summary ${call.id} ${revision}`);
  const talk = TALK[call.purpose];
  const lines = (texts: readonly string[], count: number) =>
    random.sample(texts, count).map((text) => fillIn(text, deal.facts));
  const line = (texts: readonly string[]) => fillIn(random.pick(texts), deal.facts);
  const fromThemes = (textOf: (theme: Theme) => string) =>
    deal.themes.map((theme) => fillIn(textOf(theme), deal.facts));

  const withBuyers = call.purpose !== 'deal_review';
  const shown = call.purpose === 'demo' || call.purpose === 'deep_dive';
  return {
    schema: `${KIND[call.purpose]}.v2`,
    headline: line(talk.headline),
    company: fillIn('{company}, a {business} with {employees} people and {sites}', deal.facts),
    timeline: line(TIMELINES),
    budgetSignals: line(BUDGET_SIGNALS),
    verdictReasoning: withBuyers ? fillIn(VERDICT_REASONING[verdictOf(deal)], deal.facts) : null,
    contextForNextCall: line(talk.contextForNextCall),
    participants: call.participants.map(({ name, role, isInternal }) =>
      isInternal ? `${name} (${deal.workspace.name})` : `${name}, ${role} (${deal.name})`,
    ),
    keyTakeaways: [
      ...lines(talk.takeaways, revision === 1 ? 2 : 3),
      ...(shown
        ? lines(
            deal.themes.map((theme) => random.pick(theme.reaction)),
            2,
          )
        : []),
    ],
    decisions: lines(talk.decisions, random.integer(1, 2)),
    actionItems: lines(talk.actionItems, random.integer(2, 3)),
    nextSteps: lines(talk.nextSteps, 2),
    openQuestions: [
      ...lines(talk.openQuestions, 1),
      ...(shown ? [fillIn(random.pick(deal.themes).question, deal.facts)] : []),
    ],
    painPoints: withBuyers ? fromThemes((theme) => theme.pain[0] ?? theme.problem) : [],
    currentState: call.purpose === 'discovery' ? fromThemes((theme) => random.pick(theme.today)) : [],
    desiredOutcomes: withBuyers ? fromThemes((theme) => random.pick(theme.outcome)) : [],
    decisionCriteria: withBuyers ? fromThemes((theme) => theme.criterion).slice(0, shown ? 3 : 2) : [],
    qualificationVerdict: withBuyers ? verdictOf(deal) : null,
    topics: call.chapters,
  };
}

/** The record of a call's summary. */
export function summaryInput(deal: Deal, call: DealCall, revision = 1): InputOf<'callSummary'> {
  return {
    record: 'callSummary',
    companyId: deal.workspace.id,
    callId: call.id,
    summary: summarize(deal, call, revision),
  };
}

type Verdict = 'qualified' | 'nurture';

const VERDICT_REASONING: Record<Verdict, string> = {
  qualified:
    'Clear pain ({problem}), a sponsor with influence ({champion}, {championTitle}), a date in {goLive} and a budget within reach.',
  nurture:
    'The pain is real ({problem}), but there is neither a date nor a budget, and {buyer} has not taken part so far.',
};

/** The verdict that the calls support. A deal that later went dormant showed early signs of it. */
function verdictOf({ outline }: Deal): Verdict {
  return outline.status === 'dormant' ? 'nurture' : 'qualified';
}
