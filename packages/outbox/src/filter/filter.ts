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
      : isListed(value, operand),
  $gt: (value, operand: string) => isSameType(value, operand) && value > operand,
  $gte: (value, operand: string) => isSameType(value, operand) && value >= operand,
  $lt: (value, operand: string) => isSameType(value, operand) && value < operand,
  $lte: (value, operand: string) => isSameType(value, operand) && value <= operand,
  $startsWith: (value, operand: string) => typeof value === 'string' && value.startsWith(operand),
};

/** The operators that are true where another one is false, of a field that is there. */
const NEGATIONS: Readonly<Record<string, string>> = { $neq: '$eq', $nin: '$in' };

/** Whether `data` of an event, parsed from the text that is sent, matches a filter. */
export function matchesFilter(filter: Filter, data: unknown): boolean {
  return matches(filter, data);
}

/** @param value undefined if the field is missing: then only `$exist: false` is true. */
function matches(condition: unknown, value: unknown): boolean {
  if (!isObject(condition)) return compares('$eq', condition, value);
  const entries = Object.entries(condition);
  const fields = entries.filter(([name]) => !name.startsWith('$'));
  const hold = ([name, operand]: [string, unknown]) => !name.startsWith('$') || holds(name, operand, value);
  if (!entries.every(hold)) return false;
  if (fields.length === 0) return true;
  return Array.isArray(value) ? value.some((item) => hasFields(fields, item)) : hasFields(fields, value);
}

/** Whether the fields of a value are as the conditions say. */
function hasFields(conditions: readonly [string, unknown][], value: unknown): boolean {
  return (
    isObject(value) &&
    conditions.every(([name, condition]) =>
      // What every object inherits, such as `constructor`, is no field.
      matches(condition, Object.hasOwn(value, name) ? value[name] : undefined),
    )
  );
}

function holds(operator: string, operand: unknown, value: unknown): boolean {
  switch (operator) {
    case '$and':
      return (operand as unknown[]).every((condition) => matches(condition, value));
    case '$or':
      return (operand as unknown[]).some((condition) => matches(condition, value));
    case '$not':
      return value !== undefined && !matches(operand, value);
    case '$exist':
      return (value !== undefined) === operand;
    default:
      return compares(operator, operand, value);
  }
}

/** Compares a value, or the items of an array: one of them has to match and, with `$neq` and `$nin`, none may be what they exclude. */
function compares(operator: string, operand: unknown, value: unknown): boolean {
  if (value === undefined) return false;
  const negated = NEGATIONS[operator];
  const name = negated ?? operator;
  const isTrue = Array.isArray(value)
    ? // `$in` with a text: one of the items, not a part of one.
      value.some((item) =>
        COMPARISONS[name === '$in' && typeof operand === 'string' ? '$eq' : name]!(item, operand as never),
      )
    : COMPARISONS[name]!(value, operand as never);
  return negated === undefined ? isTrue : !isTrue;
}

/** Lists of operands as sets, since every item of a long array may be compared with a long list. */
const sets = new WeakMap<readonly Scalar[], ReadonlySet<unknown>>();

function isListed(value: unknown, operand: readonly Scalar[]): boolean {
  if (operand.length < 16) return operand.includes(value as Scalar);
  let set = sets.get(operand);
  if (set === undefined) {
    set = new Set(operand);
    sets.set(operand, set);
  }
  return set.has(value);
}

/** Whether both are numbers, or both texts. */
function isSameType(value: unknown, operand: string): value is string {
  return typeof value === typeof operand;
}

function isObject(value: unknown): value is Filter {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
