import { isStorable } from '@deal-signals/db/storable-text';
import type { Filter } from './filter.ts';

/** Maximum comparisons in a filter. */
export const MAX_CONDITIONS = 32;
/** Maximum nesting of objects in a filter, itself included. Arrays do not count. */
export const MAX_DEPTH = 5;
/** Maximum size of a filter, as JSON in UTF-8. */
export const MAX_BYTES = 4_096;

/** Maximum length of a text that `$in` searches for. A search takes time up to the product of both lengths. */
const MAX_PART = 100;

/** An error in a filter. */
export interface FilterProblem {
  /** The names and positions that lead to it. */
  path: (string | number)[];
  message: string;
}

/** The operand of an operator. */
interface Operand {
  form: string;
  isValid: (value: unknown) => boolean;
}

const SCALAR: Operand = { form: 'a string, a number, true, false or null', isValid: isScalar };
const LIST: Operand = {
  form: `a string of at most ${MAX_PART} characters, or an array of one or more strings, numbers, true, false or null`,
  isValid: (value) =>
    Array.isArray(value)
      ? value.length > 0 && value.every(isScalar)
      : isText(value) && value.length <= MAX_PART,
};
const ORDERED: Operand = {
  form: 'a string or a number',
  isValid: (value) => isText(value) || (typeof value === 'number' && isScalar(value)),
};

/** The operands of the operators that compare. */
const OPERANDS: Readonly<Record<string, Operand>> = {
  $eq: SCALAR,
  $neq: SCALAR,
  $in: LIST,
  $nin: LIST,
  $gt: ORDERED,
  $gte: ORDERED,
  $lt: ORDERED,
  $lte: ORDERED,
  $startsWith: { form: 'a string', isValid: isText },
  $exist: { form: 'true or false', isValid: (value) => typeof value === 'boolean' },
};
const OPERATORS = [...Object.keys(OPERANDS), '$and', '$or', '$not'];

/** Returns the first error in a filter; null if it can be stored and evaluated. */
export function findFilterProblem(filter: unknown): FilterProblem | null {
  // It descends no deeper than MAX_DEPTH, so serializing afterwards cannot exhaust the stack.
  const problem = findProblem(filter, { path: [], depth: 1, left: { conditions: MAX_CONDITIONS } });
  if (problem !== null) return problem;
  return Buffer.byteLength(JSON.stringify(filter)) > MAX_BYTES
    ? { path: [], message: `must have at most ${MAX_BYTES} bytes as JSON` }
    : null;
}

interface Position {
  path: (string | number)[];
  depth: number;
  /** How many conditions the rest of the filter may have. */
  left: { conditions: number };
}

/** Checks a condition that must be an object: the filter itself, or an operand of `$and`, `$or` or `$not`. */
function findProblem(condition: unknown, position: Position): FilterProblem | null {
  const { path, depth, left } = position;
  if (!isObject(condition)) return { path, message: 'must be an object' };
  if (depth > MAX_DEPTH) return { path, message: `must not be nested deeper than ${MAX_DEPTH} levels` };
  const entries = Object.entries(condition);
  if (entries.length === 0) return { path, message: 'must not be empty' };
  for (const [name, value] of entries) {
    const problem = findEntryProblem(name, value, { path: [...path, name], depth, left });
    if (problem !== null) return problem;
  }
  return null;
}

function findEntryProblem(
  name: string,
  value: unknown,
  { path, depth, left }: Position,
): FilterProblem | null {
  const inner = { path, depth: depth + 1, left };
  if (name === '$not') return findProblem(value, inner);
  if (name === '$and' || name === '$or') {
    if (!Array.isArray(value) || value.length === 0) {
      return { path, message: 'must be an array of one or more objects' };
    }
    for (const [index, item] of value.entries()) {
      const problem = findProblem(item, { ...inner, path: [...path, index] });
      if (problem !== null) return problem;
    }
    return null;
  }
  // No captured object has such a field.
  if (name === '__proto__' || !isStorable(name)) return { path, message: 'is not the name of a field' };
  if (!name.startsWith('$') && isObject(value)) return findProblem(value, inner);
  const operand = name.startsWith('$') ? OPERANDS[name] : SCALAR;
  if (operand === undefined)
    return { path, message: `is not an operator: use one of ${OPERATORS.join(', ')}` };
  // `data` itself is an object, so a comparison needs a field.
  if (name.startsWith('$') && depth === 1) return { path, message: 'needs a field around it' };
  if (!operand.isValid(value)) {
    const isField = !name.startsWith('$');
    return { path, message: `must be ${isField ? 'an object, or ' : ''}${operand.form}` };
  }
  left.conditions -= 1;
  return left.conditions < 0 ? { path, message: `is one of more than ${MAX_CONDITIONS} conditions` } : null;
}

/** Whether a value keeps its exact value as a JSON scalar. */
function isScalar(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return value === null || typeof value === 'boolean' || isText(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorable(value);
}

function isObject(value: unknown): value is Filter {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
