import { fillIn } from '../random/fill-in.ts';
import type { InputOf } from '../random/timeline.ts';
import type { Theme } from '../texts/offer.ts';
import { BUDGET_SIGNALS, TIMELINES } from '../texts/sales-talk.ts';
import { type DealCall, PURPOSES } from './calls.ts';
import type { Deal } from './deals.ts';

/** The assessment that the calls support. A deal that later went dormant showed early signs of it. */
const ASSESSMENTS = {
  qualified:
    'Clear pain ({problem}), a sponsor with influence ({champion}, {championTitle}), a date in {goLive} and a budget within reach.',
  nurture:
    'The pain is real ({problem}), but there is neither a date nor a budget, and {buyer} has not taken part so far.',
};

/**
 * Returns the record of a call's summary.
 *
 * @param revision 1 for the first summary. A later revision states the same facts in other words, a little longer.
 */
export function summaryInput(deal: Deal, call: DealCall, revision = 1): InputOf<'callSummary'> {
  const { workspace, status, themes, facts } = deal;
  const random = deal.random.fork(`summary ${call.id} ${revision}`);
  const { kind, talk } = PURPOSES[call.purpose];
  const fill = (text: string) => fillIn(text, facts);
  const lines = (texts: readonly string[], count: number) => random.sample(texts, count).map(fill);
  const line = (texts: readonly string[]) => fill(random.pick(texts));
  const ofThemes = (textOf: (theme: Theme) => string) => themes.map((theme) => fill(textOf(theme)));

  const withBuyers = call.purpose !== 'deal_review';
  const isShown = kind === 'demo';
  const verdict = status === 'dormant' ? 'nurture' : 'qualified';
  const summary = {
    schema: `${kind}.v2`,
    headline: line(talk.headline),
    company: fill('{company}, a {business} with {employees} people and {sites}'),
    timeline: line(TIMELINES),
    budgetSignals: line(BUDGET_SIGNALS),
    verdictReasoning: withBuyers ? fill(ASSESSMENTS[verdict]) : null,
    contextForNextCall: fill(talk.contextForNextCall),
    participants: call.participants.map(({ name, role, isInternal }) =>
      isInternal ? `${name} (${workspace.name})` : `${name}, ${role} (${deal.name})`,
    ),
    keyTakeaways: [
      ...lines(talk.takeaways, revision === 1 ? 2 : 3),
      ...(isShown ? ofThemes(({ reaction }) => reaction).slice(0, 2) : []),
    ],
    decisions: lines(talk.decisions, random.integer(1, 2)),
    actionItems: lines(talk.actionItems, random.integer(2, 3)),
    nextSteps: lines(talk.nextSteps, 2),
    openQuestions: [fill(talk.openQuestion), ...(isShown ? [fill(random.pick(themes).question)] : [])],
    painPoints: withBuyers ? ofThemes(({ pain }) => pain) : [],
    currentState: call.purpose === 'discovery' ? ofThemes(({ today }) => today) : [],
    desiredOutcomes: withBuyers ? ofThemes(({ outcome }) => outcome) : [],
    decisionCriteria: withBuyers ? ofThemes(({ criterion }) => criterion).slice(0, isShown ? 3 : 2) : [],
    qualificationVerdict: withBuyers ? verdict : null,
    topics: call.chapters,
  };
  return { record: 'callSummary', callId: call.id, summary };
}
