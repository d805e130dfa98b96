import type { EventType } from '../event-types.ts';

/**
 * The filter of an endpoint: a condition on `data` of an event, in the JSON form that Outpost uses. What is stored has been checked by
 * `findFilterProblem`.
 */
export type Filter = Readonly<Record<string, unknown>>;

/** What can be compared. */
export type Scalar = string | number | boolean | null;

/**
 * The event types that a filter does not decide. They are not about the data that it filters: a consumer who wants only the opened
 * documents must still hear whom to erase, and that an endpoint was disabled.
 */
export const UNFILTERED_TYPES: ReadonlySet<EventType> = new Set([
  'person.erased',
  'room.erased',
  'webhook.endpoint.disabled',
  'integration.ping',
]);

/** Compares a value, which is no array, with an operand of the right type. */
type Compare = (value: unknown, operand: never) => boolean;

/** The operators that compare a value. Another type than that of the operand never matches. */
const COMPARISONS: Readonly<Record<string, Compare>> = {
  $eq: (value, operand: Scalar) => value === operand,
  $in: (value, operand: string | readonly Scalar[]) =>
    typeof operand === 'string'
      ? typeof value === 'string' && value.includes(operand)
      : operand.includes(value as Scalar),
  $gt: (value, operand: string) => isSameType(value, operand) && value > operand,
  $gte: (value, operand: string) => isSameType(value, operand) && value >= operand,
  $lt: (value, operand: string) => isSameType(value, operand) && value < operand,
  $lte: (value, operand: string) => isSameType(value, operand) && value <= operand,
  $startsWith: (value, operand: string) => typeof value === 'string' && value.startsWith(operand),
};

/** The operators that are true where another one is false, of a field that is there. */
const NEGATIONS: Readonly<Record<string, string>> = { $neq: '$eq', $nin: '$in' };

/**
 * How many items of arrays one evaluation looks at. Real events have some dozens. A filter of 32 conditions on an array of 256 KiB would
 * otherwise keep the process busy for half a second.
 */
export const MAX_ITEMS = 2_000;

/** How many items an evaluation has looked at. */
interface Work {
  items: number;
}

/**
 * Whether `data` of an event, parsed from the text that is sent, matches a filter. True also if that would take looking at more than
 * `MAX_ITEMS` items: a receiver can ignore an event, but not ask for one that it does not know of.
 */
export function matchesFilter(filter: Filter, data: unknown): boolean {
  const work: Work = { items: 0 };
  const isMatch = matches(filter, data, work);
  return isMatch || work.items > MAX_ITEMS;
}

/** @param value undefined if the field is missing: then only `$exist: false` is true. */
function matches(condition: unknown, value: unknown, work: Work): boolean {
  if (!isObject(condition)) return compares('$eq', condition, value, work);
  const entries = Object.entries(condition);
  const fields = entries.filter(([name]) => !name.startsWith('$'));
  return (
    entries.every(([name, operand]) => !name.startsWith('$') || holds(name, operand, value, work)) &&
    (fields.length === 0 || isTrueOf(value, work, (item) => hasFields(fields, item, work)))
  );
}

/** Whether the fields of a value are as the conditions say. */
function hasFields(conditions: readonly [string, unknown][], value: unknown, work: Work): boolean {
  return (
    isObject(value) &&
    conditions.every(([name, condition]) =>
      // What every object inherits, such as `constructor`, is no field.
      matches(condition, Object.hasOwn(value, name) ? value[name] : undefined, work),
    )
  );
}

function holds(operator: string, operand: unknown, value: unknown, work: Work): boolean {
  switch (operator) {
    case '$and':
      return (operand as unknown[]).every((condition) => matches(condition, value, work));
    case '$or':
      return (operand as unknown[]).some((condition) => matches(condition, value, work));
    case '$not':
      return value !== undefined && !matches(operand, value, work);
    case '$exist':
      return (value !== undefined) === operand;
    default:
      return compares(operator, operand, value, work);
  }
}

function compares(operator: string, operand: unknown, value: unknown, work: Work): boolean {
  if (value === undefined) return false;
  const negated = NEGATIONS[operator];
  const name = negated ?? operator;
  // A text is looked for among the items of an array, not in each of them.
  const isItem = name === '$in' && typeof operand === 'string' && Array.isArray(value);
  const compare = COMPARISONS[isItem ? '$eq' : name]!;
  const isTrue = isTrueOf(value, work, (item) => compare(item, operand as never));
  return negated === undefined ? isTrue : !isTrue;
}

/** Whether something is true of a value or, of an array, of one of its items. */
function isTrueOf(value: unknown, work: Work, test: (item: unknown) => boolean): boolean {
  if (!Array.isArray(value)) return test(value);
  return value.some((item) => {
    work.items += 1;
    return work.items > MAX_ITEMS || test(item);
  });
}

/** Whether both are numbers, or both texts. */
function isSameType(value: unknown, operand: string): value is string {
  return typeof value === typeof operand;
}

function isObject(value: unknown): value is Filter {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
