import { z } from 'zod';

const text = z.string().nullable().default(null);
const lines = z.array(z.string()).default([]);
const seconds = z.int().nonnegative();

/**
 * The normalized AI summary of a call. Capture also parses summaries with this schema: missing fields become null or an empty
 * list, so a stored summary always has every field of the contract.
 */
export const callSummary = z
  .object({
    schema: text.meta({ description: 'The kind of summary' }),
    headline: text,
    company: text,
    timeline: text,
    budgetSignals: text,
    verdictReasoning: text,
    contextForNextCall: text,
    participants: lines,
    keyTakeaways: lines,
    decisions: lines,
    actionItems: lines,
    nextSteps: lines,
    openQuestions: lines,
    painPoints: lines,
    currentState: lines,
    desiredOutcomes: lines,
    decisionCriteria: lines,
    qualificationVerdict: text,
    topics: z
      .array(
        z.object({
          label: z.string(),
          summary: text,
          startSeconds: seconds.nullable().default(null),
          endSeconds: seconds.nullable().default(null),
        }),
      )
      .default([]),
  })
  .meta({ id: 'CallSummary' });

/** A stored summary. */
export type CallSummary = z.infer<typeof callSummary>;
