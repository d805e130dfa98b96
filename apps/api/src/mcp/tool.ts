import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { z } from 'zod';
import type { Scope } from '@deal-signals/serializers/management/scopes';
import { type ApiError, invalidField, invalidRequest } from '../http/errors.ts';
import type { Assistant, Context } from '../http/route.ts';
import { cutText } from './shorten.ts';
import { withoutNulls } from './without-nulls.ts';

/** The caller of a tool. */
export type ToolCaller = Pick<Assistant, 'companyId' | 'key'>;

/** The output of a tool, without the members that all results have. */
export type ToolOutput = { data: unknown } & Record<string, unknown>;

/** A tool of the Model Context Protocol, which the model of an assistant can call. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  /** For people. */
  title: string;
  /** For the model: what the tool returns, and when to call it. */
  description: string;
  /** The scope that a key needs; null if the tool checks that itself. */
  scope: Scope | null;
  input: Input;
  /** The fields of the result. */
  output: z.ZodObject;
  run(input: z.output<Input>, caller: ToolCaller, context: Context): Promise<ToolOutput>;
}

/** Lets the compiler check that a tool is run with what its schema parses. */
export function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool {
  return definition;
}

/** The id of an object. */
export const idArgument = z.guid({ error: 'must be a UUID, as earlier results contain it' }).toLowerCase();

/** A point in time. */
export const timeArgument = z
  .string()
  .refine(
    (text) => dateTimeInput.safeParse(text).success,
    'must be an ISO 8601 date-time with Z or an offset, such as 2026-09-01T00:00:00Z, or a date',
  );

/** Default length of the JSON of a result: about a thousand tokens, so that a few calls leave room in the context. */
const PRESET_CHARACTERS = 3_400;
/** Maximum length of a result: 40,000 characters are about 12,000 tokens. */
export const MAX_CHARACTERS = 40_000;

/** The argument that limits the length of a result. */
export const sizeArgument = {
  max_characters: z.int().min(1_000).max(MAX_CHARACTERS).default(PRESET_CHARACTERS).meta({
    description: 'About how long data may be. Raise it to read shortened records whole',
  }),
};

/** The arguments of a tool that returns a list. */
export function pageArguments(preset: number, maximum: number) {
  return {
    ...sizeArgument,
    limit: z
      .int()
      .min(1)
      .max(maximum)
      .default(preset)
      .meta({ description: 'Maximum number of records. A result of long records ends earlier' }),
    cursor: z.string().optional().meta({
      description:
        'nextCursor of an earlier result, for the same other arguments. Omit it to begin at the oldest record',
    }),
  };
}

/** A record as a tool returns it: as the API does, or shortened. The API's description has its fields; a model reads them off the record. */
export const shownRecord = z.looseObject({ shortened: z.literal(true).optional() });

/** The result of a tool that returns one object. */
export const objectResult = z.looseObject({ data: shownRecord });

/** The result of a tool that returns a list. */
export const pageResult = z.looseObject({
  data: z.array(shownRecord),
  nextCursor: z.string(),
  hasMore: z.boolean(),
});

/** Maximum number of wrong arguments that an error names. */
const MAX_NAMED_ISSUES = 5;

/**
 * Parses the arguments of a call. Null counts as omitted. Unknown arguments are rejected, because a model that guesses the name
 * of a filter would take the unfiltered result for the filtered one.
 *
 * @throws ApiError INVALID_REQUEST with the wrong arguments and what is allowed.
 */
export function parseArguments<Input extends z.ZodObject>(input: Input, given: object): z.output<Input> {
  const present = withoutNulls(given);
  const result = input.safeParse(present);
  if (result.success) return result.data;
  throw invalidRequest(
    result.error.issues
      .slice(0, MAX_NAMED_ISSUES)
      .map((issue) => describeIssue(issue, input, present))
      .join('; '),
  );
}

function describeIssue(issue: z.core.$ZodIssue, input: z.ZodObject, present: object): string {
  const { code, path, message } = issue;
  if (code === 'unrecognized_keys' && path.length === 0) {
    const unknown = issue.keys.slice(0, MAX_NAMED_ISSUES).map((key) => JSON.stringify(cutText(key, 50)));
    return `unknown arguments ${unknown.join(', ')}: this tool has ${Object.keys(input.shape).join(', ')}`;
  }
  const isMissing = path.length === 1 && !Object.hasOwn(present, path[0] as string);
  return `${path.join('.')}${isMissing ? ' is missing' : ''}: ${message}`;
}

/** Returns the error for a cursor that this tool did not return. */
export function invalidToolCursor(): ApiError {
  return invalidField('cursor', 'must be a nextCursor returned by this tool', 'INVALID_CURSOR');
}
