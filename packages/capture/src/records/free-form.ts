import { isStorable } from '@deal-signals/db/storable-text';
import { MAX_JSON_DEPTH } from '@deal-signals/serializers/json-depth';
import { z } from 'zod';
import { inexactNumberMessage, isExactNumber } from './exact-numbers.ts';

/** What cannot be kept as it was sent, and why. */
interface Problem {
  path: PropertyKey[];
  message: string;
}

/** Any JSON value. Unlike `z.json()`, it does not look into it, which would exhaust the stack for JSON that is nested deeply. */
const anyJson = z.unknown() as unknown as z.ZodType<z.core.util.JSONType, z.core.util.JSONType>;

/**
 * A JSON object with any content that can be kept exactly as it was sent: texts that PostgreSQL can store, numbers that a double
 * holds, and names that a JavaScript object can have. Its depth is limited elsewhere, like its size.
 */
export const freeFormObject = z.preprocess(
  (value: Record<string, z.core.util.JSONType>, context): unknown => {
    const problem = problemIn(value, MAX_JSON_DEPTH);
    if (problem !== null) context.addIssue({ code: 'custom', ...problem });
    return value;
  },
  z.record(z.string(), anyJson),
);

/** Finds the first part of a value that cannot be kept, down to this many levels. */
function problemIn(value: unknown, levels: number): Problem | null {
  switch (typeof value) {
    case 'boolean':
      return null;
    case 'number':
      return isExactNumber(String(value)) ? null : { path: [], message: inexactNumberMessage(String(value)) };
    case 'string':
      return isStorable(value) ? null : unstorable();
    case 'object':
      if (value === null || levels === 0) return null;
      if (Array.isArray(value)) return problemAmong(value.entries(), levels);
      if (z.core.util.isPlainObject(value)) return problemAmong(Object.entries(value), levels);
  }
  return { path: [], message: 'Invalid input: expected JSON' };
}

function problemAmong(items: Iterable<[number | string, unknown]>, levels: number): Problem | null {
  for (const [name, item] of items) {
    const problem = problemWithName(name) ?? problemIn(item, levels - 1);
    if (problem !== null) return { ...problem, path: [name, ...problem.path] };
  }
  return null;
}

function problemWithName(name: number | string): Problem | null {
  if (name === '__proto__') return { path: [], message: 'Invalid name: __proto__ is not kept by JavaScript' };
  return typeof name === 'number' || isStorable(name) ? null : unstorable();
}

function unstorable(): Problem {
  return { path: [], message: 'Invalid text: NUL and unpaired surrogates cannot be stored' };
}
