import type { EventType } from '../event-types.ts';

/**
 * The filter of an endpoint: a condition on `data` of an event, in the JSON syntax that Outpost uses. `findFilterProblem` has validated
 * every stored filter.
 */
export type Filter = Readonly<Record<string, unknown>>;

/** A value that can be compared. */
export type Scalar = string | number | boolean | null;

/**
 * The event types that filters do not apply to. A consumer that wants only opened documents must still learn whom to erase, and that an
 * endpoint was disabled.
 */
export const UNFILTERED_TYPES: ReadonlySet<EventType> = new Set([
  'person.erased',
  'room.erased',
  'webhook.endpoint.disabled',
  'integration.ping',
]);

/** Compares a value that is not an array with an operand of the right type. */
type Compare = (value: unknown, operand: never) => boolean;

/** The operators that compare a value. A value of another type than the operand never matches. */
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

/** The operators that are true where another one is false, if the field exists. */
const NEGATIONS: Readonly<Record<string, string>> = { $neq: '$eq', $nin: '$in' };

/**
 * Maximum steps of one evaluation. Each comparison with an item of an array is a step, and so are `VALUES_OF_A_STEP` of a list that an
 * item is looked up in, and each part of `CHARACTERS_OF_A_STEP` of a text in which `$in` searches. Real events take a few dozen. Without
 * a limit, one filter could keep the process busy for 50 ms with an event of 512 KiB.
 */
export const MAX_STEPS = 2_000;
/**
 * Maximum steps of all evaluations of a transaction or a request together: about 0.2 seconds. A workspace may have 100 filters, and a
 * transaction 1,000 events.
 */
const MAX_STEPS_TOGETHER = 500_000;
const CHARACTERS_OF_A_STEP = 64;
const VALUES_OF_A_STEP = 8;

/** The steps that are left for the evaluations of a transaction or a request. */
export interface FilterBudget {
  steps: number;
}

/** Returns the budget of a transaction or a request. */
export function createFilterBudget(): FilterBudget {
  return { steps: MAX_STEPS_TOGETHER };
}

/**
 * Returns whether `data` of an event, parsed from the text that is sent, matches a filter. Returns true as well if that would take more
 * steps than are left: a receiver can ignore an event, but cannot request one that it does not know of.
 */
export function matchesFilter(
  filter: Filter,
  data: unknown,
  budget: FilterBudget = createFilterBudget(),
): boolean {
  const max = Math.min(MAX_STEPS, budget.steps);
  const left: FilterBudget = { steps: max };
  const isMatch = matches(filter, data, left);
  budget.steps -= max - Math.max(0, left.steps);
  return isMatch || left.steps < 0;
}

/** @param value undefined if the field is missing: then only `$exist: false` is true. */
function matches(condition: unknown, value: unknown, left: FilterBudget): boolean {
  if (!isObject(condition)) return compares('$eq', condition, value, left);
  const entries = Object.entries(condition);
  const fields = entries.filter(([name]) => !name.startsWith('$'));
  return (
    entries.every(([name, operand]) => !name.startsWith('$') || holds(name, operand, value, left)) &&
    (fields.length === 0 || isTrueOf(value, condition, left, (item) => hasFields(fields, item, left)))
  );
}

/** Whether the fields of a value match the conditions. */
function hasFields(conditions: readonly [string, unknown][], value: unknown, left: FilterBudget): boolean {
  return (
    isObject(value) &&
    conditions.every(([name, condition]) =>
      // Inherited properties, such as `constructor`, are not fields.
      matches(condition, Object.hasOwn(value, name) ? value[name] : undefined, left),
    )
  );
}

function holds(operator: string, operand: unknown, value: unknown, left: FilterBudget): boolean {
  switch (operator) {
    case '$and':
      return (operand as unknown[]).every((condition) => matches(condition, value, left));
    case '$or':
      return (operand as unknown[]).some((condition) => matches(condition, value, left));
    case '$not':
      return value !== undefined && !matches(operand, value, left);
    case '$exist':
      return (value !== undefined) === operand;
    default:
      return compares(operator, operand, value, left);
  }
}

function compares(operator: string, operand: unknown, value: unknown, left: FilterBudget): boolean {
  if (value === undefined) return false;
  const negated = NEGATIONS[operator];
  const name = negated ?? operator;
  const isText = name === '$in' && typeof operand === 'string';
  // A text is compared with the items of an array, not searched for in each of them.
  const compare = COMPARISONS[isText && Array.isArray(value) ? '$eq' : name]!;
  if (isText && typeof value === 'string') left.steps -= Math.ceil(value.length / CHARACTERS_OF_A_STEP);
  const isTrue = left.steps < 0 || isTrueOf(value, operand, left, (item) => compare(item, operand as never));
  return negated === undefined ? isTrue : !isTrue;
}

/** Whether a test by a condition is true for a value or, if it is an array, for one of its items. */
function isTrueOf(
  value: unknown,
  condition: unknown,
  left: FilterBudget,
  test: (item: unknown) => boolean,
): boolean {
  if (!Array.isArray(value)) return test(value);
  const steps = Math.ceil(countComparisons(condition));
  return value.some((item) => {
    left.steps -= steps;
    return left.steps < 0 || test(item);
  });
}

/** Counts the comparisons that a condition makes with one value. */
function countComparisons(condition: unknown): number {
  if (typeof condition !== 'object' || condition === null) return 1;
  if (Array.isArray(condition) && !isObject(condition[0])) return condition.length / VALUES_OF_A_STEP;
  return Object.values(condition).reduce((sum: number, part) => sum + countComparisons(part), 0);
}

/** Whether both are numbers, or both texts. */
function isSameType(value: unknown, operand: string): value is string {
  return typeof value === typeof operand;
}

function isObject(value: unknown): value is Filter {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
