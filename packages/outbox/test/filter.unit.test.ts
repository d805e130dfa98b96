import { describe, expect, test } from '@jest/globals';
import {
  createFilterBudget,
  type Filter,
  matchesFilter,
  MAX_STEPS,
} from '@deal-signals/outbox/filter/filter';
import { findFilterProblem, MAX_BYTES } from '@deal-signals/outbox/filter/filter-problem';

/** An engagement event with a value of every JSON type, and texts beyond ASCII. */
const DATA = {
  type: 'doc_open',
  actor: { name: 'Zoë Quist 🦊', email: 'zoe@globex.example' },
  personId: null,
  occurredAt: '2026-09-02T10:00:00.000Z',
  dealValueCents: 9_007_199_254_740_991,
  score: 0.5,
  hasSummary: false,
  tags: ['demo', 'pricing', 7, null],
  empty: [],
  participants: [
    { email: 'ann@acme.example', role: 'Host', talk: 10 },
    { email: 'bob@globex.example', role: 'Guest', talk: 90 },
  ],
  metadata: { page: 3, '': 'nameless', ключ: 'значение', nested: { a: { b: 1 } } },
};

function outcome(filter: object): boolean {
  expect(findFilterProblem(filter)).toBeNull();
  return matchesFilter(filter as Filter, DATA);
}

describe('operators', () => {
  test.each<[object, boolean]>([
    // A bare value is `$eq`.
    [{ type: 'doc_open' }, true],
    [{ type: 'doc' }, false],
    [{ type: { $eq: 'doc_open' } }, true],
    [{ type: { $eq: 'Doc_open' } }, false],
    [{ personId: null }, true],
    [{ personId: { $eq: null } }, true],
    [{ hasSummary: false }, true],
    [{ hasSummary: { $eq: 0 } }, false],
    [{ hasSummary: 'false' }, false],
    [{ score: 0.5 }, true],
    [{ score: '0.5' }, false],
    [{ dealValueCents: 9_007_199_254_740_991 }, true],
    [{ type: { $neq: 'trailer_view' } }, true],
    [{ type: { $neq: 'doc_open' } }, false],
    [{ personId: { $neq: 'x' } }, true],
    [{ personId: { $neq: null } }, false],
    [{ type: { $in: ['trailer_view', 'doc_open'] } }, true],
    [{ type: { $in: ['trailer_view'] } }, false],
    [{ personId: { $in: [null] } }, true],
    [{ score: { $in: [1, 0.5] } }, true],
    // Of a text, `$in` looks for a part.
    [{ type: { $in: 'c_op' } }, true],
    [{ type: { $in: 'C_op' } }, false],
    [{ score: { $in: '0' } }, false],
    [{ type: { $nin: ['trailer_view'] } }, true],
    [{ type: { $nin: ['doc_open'] } }, false],
    [{ type: { $nin: 'c_op' } }, false],
    [{ personId: { $nin: ['x'] } }, true],
    [{ score: { $gt: 0.4 } }, true],
    [{ score: { $gt: 0.5 } }, false],
    [{ score: { $gte: 0.5 } }, true],
    [{ score: { $lt: 0.5 } }, false],
    [{ score: { $lte: 0.5 } }, true],
    [{ score: { $lt: '1' } }, false],
    [{ personId: { $lt: 1 } }, false],
    [{ personId: { $gte: 0 } }, false],
    [{ hasSummary: { $lt: 1 } }, false],
    [{ occurredAt: { $gte: '2026-09-02' } }, true],
    [{ occurredAt: { $lt: '2026-09-02' } }, false],
    [{ occurredAt: { $gte: '2026-09-01', $lt: '2026-09-02' } }, false],
    [{ occurredAt: { $gt: 0 } }, false],
    [{ type: { $startsWith: 'doc_' } }, true],
    [{ type: { $startsWith: '' } }, true],
    [{ type: { $startsWith: 'open' } }, false],
    [{ score: { $startsWith: '0' } }, false],
    [{ type: { $exist: true } }, true],
    [{ type: { $exist: false } }, false],
    [{ personId: { $exist: true } }, true],
    [{ actor: { $exist: true } }, true],
  ])('%j: %j', (filter, isMatch) => {
    expect(outcome(filter)).toBe(isMatch);
  });
});

describe('fields', () => {
  test.each<[object, boolean]>([
    [{ actor: { email: 'zoe@globex.example' } }, true],
    [{ actor: { email: { $in: '@globex.' }, name: { $startsWith: 'Zoë' } } }, true],
    [{ actor: { email: { $in: '@globex.' }, name: 'Zoe' } }, false],
    [{ actor: { name: { $in: '🦊' } } }, true],
    [{ actor: { name: 'Zoe\u0308 Quist 🦊' } }, false],
    [{ metadata: { ключ: { $startsWith: 'знач' } } }, true],
    [{ metadata: { '': 'nameless' } }, true],
    [{ metadata: { nested: { a: { b: 1 } } } }, true],
    [{ 'metadata.page': 3 }, false],
    // An object is no value, and a value no object.
    [{ actor: 'zoe@globex.example' }, false],
    [{ actor: { $neq: 'x' } }, true],
    [{ type: { length: 8 } }, false],
    [{ personId: { x: { $exist: false } } }, false],
    // What every object inherits is no field.
    [{ constructor: { $exist: true } }, false],
    [{ toString: { $exist: false } }, true],
    [{ actor: { hasOwnProperty: { name: 'hasOwnProperty' } } }, false],
  ])('%j: %j', (filter, isMatch) => {
    expect(outcome(filter)).toBe(isMatch);
  });
});

describe('a missing field', () => {
  test.each<[object, boolean]>([
    [{ missing: null }, false],
    [{ missing: { $eq: null } }, false],
    [{ missing: { $neq: 'x' } }, false],
    [{ missing: { $nin: ['x'] } }, false],
    [{ missing: { $not: { $eq: 'x' } } }, false],
    [{ missing: { $gt: 0 } }, false],
    [{ missing: { $startsWith: '' } }, false],
    [{ missing: { $exist: true } }, false],
    [{ missing: { $exist: false } }, true],
    [{ actor: { missing: { $exist: false } } }, true],
    [{ missing: { name: { $exist: false } } }, false],
    [{ missing: { $or: [{ $exist: false }, { $eq: 1 }] } }, true],
    // Around the field, `$not` and `$or` see that it does not match.
    [{ $not: { missing: 'x' } }, true],
    [{ $not: { missing: { $neq: 'x' } } }, true],
    [{ $or: [{ missing: 'x' }, { type: 'doc_open' }] }, true],
    [{ missing: 'x', type: 'doc_open' }, false],
  ])('%j: %j', (filter, isMatch) => {
    expect(outcome(filter)).toBe(isMatch);
  });
});

describe('arrays', () => {
  test.each<[object, boolean]>([
    [{ tags: 'pricing' }, true],
    [{ tags: 'pric' }, false],
    [{ tags: null }, true],
    [{ tags: { $in: ['x', 7] } }, true],
    [{ tags: { $in: 'pricing' } }, true],
    [{ tags: { $in: 'pric' } }, false],
    [{ tags: { $startsWith: 'pric' } }, true],
    [{ tags: { $gt: 6 } }, true],
    [{ tags: { $neq: 'pricing' } }, false],
    [{ tags: { $neq: 'x' } }, true],
    [{ tags: { $nin: ['x', 'demo'] } }, false],
    [{ tags: { $nin: 'demo' } }, false],
    [{ tags: { $nin: 'dem' } }, true],
    [{ empty: { $neq: 'x' } }, true],
    [{ empty: 'x' }, false],
    [{ empty: { $exist: true } }, true],
    [{ participants: { role: 'Guest' } }, true],
    // One of the items has to be as all fields say.
    [{ participants: { role: 'Host', talk: { $gt: 50 } } }, false],
    [{ participants: { role: 'Guest', talk: { $gt: 50 } } }, true],
    [{ participants: { email: { $startsWith: 'eve' } } }, false],
    [{ participants: { $not: { email: { $startsWith: 'bob' } } } }, false],
    [{ participants: { $not: { email: { $startsWith: 'eve' } } } }, true],
    [{ tags: { name: 'demo' } }, false],
  ])('%j: %j', (filter, isMatch) => {
    expect(outcome(filter)).toBe(isMatch);
  });

  test('are compared with long lists, too', () => {
    const long = Array.from({ length: 500 }, (_, n) => n + 1_000);
    expect(outcome({ tags: { $in: [...long, 7] } })).toBe(true);
    expect(outcome({ tags: { $in: long } })).toBe(false);
    expect(outcome({ tags: { $nin: long } })).toBe(true);
    expect(outcome({ participants: { talk: { $in: [...long, 90] } } })).toBe(true);
  });
});

describe('$and, $or and $not', () => {
  test.each<[object, boolean]>([
    [{ $and: [{ type: 'doc_open' }, { score: 0.5 }] }, true],
    [{ $and: [{ type: 'doc_open' }, { score: 1 }] }, false],
    [{ $or: [{ type: 'x' }, { score: 0.5 }] }, true],
    [{ $or: [{ type: 'x' }, { score: 1 }] }, false],
    [{ $or: [{ type: 'doc_open' }], score: 1 }, false],
    [{ $not: { type: 'doc_open' } }, false],
    [{ $not: { type: 'doc_open', score: 1 } }, true],
    [{ $not: { type: 'x' }, score: 1 }, false],
    [{ type: { $or: [{ $eq: 'x' }, { $startsWith: 'doc' }] } }, true],
    [{ type: { $and: [{ $neq: 'x' }, { $startsWith: 'tra' }] } }, false],
    [{ type: { $not: { $in: ['x'] } } }, true],
    [{ actor: { $or: [{ email: 'x' }, { name: { $startsWith: 'Z' } }], email: { $exist: true } } }, true],
    [{ $not: { $not: { type: 'doc_open' } } }, true],
  ])('%j: %j', (filter, isMatch) => {
    expect(outcome(filter)).toBe(isMatch);
  });
});

describe('a filter is refused that', () => {
  const deep = (levels: number): object => (levels === 1 ? { a: 1 } : { a: deep(levels - 1) });
  const wide = (count: number) => ({ $or: Array.from({ length: count }, (_, n) => ({ [`f${n}`]: n })) });
  test.each<[string, unknown, string, RegExp]>([
    ['is no object', 'x', '', /^must be an object$/],
    ['is missing', undefined, '', /^must be an object$/],
    ['is an array', [{ type: 'x' }], '', /^must be an object$/],
    ['is empty', {}, '', /^must not be empty$/],
    ['has an empty object', { actor: {} }, 'actor', /^must not be empty$/],
    [
      'has an unknown operator',
      { a: { b: { $regex: '.' } } },
      'a.b.$regex',
      /^is not an operator: use one of \$eq, /,
    ],
    [
      'has an operator that objects inherit',
      { a: { $constructor: 1 } },
      'a.$constructor',
      /^is not an operator/,
    ],
    ['compares data itself', { $eq: 1 }, '$eq', /^needs a field around it$/],
    ['compares with an object', { a: { $eq: { b: 1 } } }, 'a.$eq', /^must be a string, a number,/],
    ['compares with an array', { a: [1] }, 'a', /^must be an object, or a string, a number,/],
    [
      'has a $in of an object',
      { a: { $in: { b: 1 } } },
      'a.$in',
      /^must be a string of at most 100 characters, or an array/,
    ],
    [
      'has a $in of nothing',
      { a: { $in: [] } },
      'a.$in',
      /^must be a string of at most 100 characters, or an array of one or more/,
    ],
    [
      'has a long part of a text',
      { a: { $in: 'x'.repeat(101) } },
      'a.$in',
      /^must be a string of at most 100/,
    ],
    [
      'has a $nin of arrays',
      { a: { $nin: [[1]] } },
      'a.$nin',
      /^must be a string of at most 100 characters, or an array/,
    ],
    ['orders null', { a: { $gt: null } }, 'a.$gt', /^must be a string or a number$/],
    ['orders booleans', { a: { $lte: true } }, 'a.$lte', /^must be a string or a number$/],
    ['begins with a number', { a: { $startsWith: 1 } }, 'a.$startsWith', /^must be a string$/],
    ['has a $exist of text', { a: { $exist: 'true' } }, 'a.$exist', /^must be true or false$/],
    ['has a $and of an object', { $and: { a: 1 } }, '$and', /^must be an array of one or more objects$/],
    ['has a $or of nothing', { $or: [] }, '$or', /^must be an array of one or more objects$/],
    ['has a $or of values', { a: { $or: [1] } }, 'a.$or.0', /^must be an object$/],
    ['has a $not of an array', { $not: [{ a: 1 }] }, '$not', /^must be an object$/],
    ['has a mistake in a list', { $and: [{ a: 1 }, { b: { $x: 1 } }] }, '$and.1.b.$x', /^is not an operator/],
    ['is too deep', deep(6), 'a.a.a.a.a', /^must not be nested deeper than 5 levels$/],
    ['is far too deep', deep(5_000), 'a.a.a.a.a', /^must not be nested deeper than 5 levels$/],
    ['has 33 conditions', wide(33), '$or.32.f32', /^is one of more than 32 conditions$/],
    ['is too large', { a: 'x'.repeat(MAX_BYTES) }, '', /^must have at most 4096 bytes as JSON$/],
    ['is too large in UTF-8', { a: 'я'.repeat(2_048) }, '', /^must have at most 4096 bytes/],
    ['names __proto__', JSON.parse('{"__proto__":{"a":1}}'), '__proto__', /^is not the name of a field$/],
    ['names it below', JSON.parse('{"a":{"__proto__":1}}'), 'a.__proto__', /^is not the name of a field$/],
    ['has NUL in a name', { 'a\0': 1 }, 'a\0', /^is not the name of a field$/],
    ['has half a surrogate pair', { a: '\ud83e' }, 'a', /^must be an object, or a string/],
    [
      'has NUL in a list',
      { a: { $in: ['\0'] } },
      'a.$in',
      /^must be a string of at most 100 characters, or an array/,
    ],
    ['has a number that JSON cannot keep', { a: 2 ** 53 }, 'a', /^must be an object, or a string/],
    ['has an infinite number', JSON.parse('{"a":{"$gt":1e999}}'), 'a.$gt', /^must be a string or a number$/],
  ])('%s', (_why, filter, path, message) => {
    const problem = findFilterProblem(filter);
    expect(problem?.path.join('.')).toBe(path);
    expect(problem?.message).toMatch(message);
  });

  test('keeps to the limits, and no other', () => {
    expect(findFilterProblem(deep(5))).toBeNull();
    expect(findFilterProblem(wide(32))).toBeNull();
    expect(findFilterProblem({ a: 'x'.repeat(MAX_BYTES - '{"a":""}'.length) })).toBeNull();
  });
});

/**
 * Decides the same in the words of the guide, from the value outwards: the value and all its items are listed first, and each operator is
 * a sentence of its own.
 */
function naively(condition: unknown, value: unknown): boolean {
  if (typeof condition !== 'object' || condition === null) return naively({ $eq: condition }, value);
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const isThere = value !== undefined;
  const sentence = (operator: string, operand: never): boolean => {
    const list = (Array.isArray(operand) ? operand : [operand]) as unknown[];
    const isPart = (item: unknown) => typeof item === 'string' && item.includes(operand);
    const isText = typeof operand === 'string' && !Array.isArray(value);
    const ordered = items.filter((item) => typeof item === typeof operand) as never[];
    if (operator === '$and') return list.filter((one) => !naively(one, value)).length === 0;
    if (operator === '$or') return list.filter((one) => naively(one, value)).length > 0;
    if (operator === '$not') return isThere && !naively(operand, value);
    if (operator === '$exist') return isThere === operand;
    if (!isThere) return false;
    if (operator === '$eq') return items.includes(operand);
    if (operator === '$neq') return !items.includes(operand);
    if (operator === '$in') return isText ? items.some(isPart) : items.some((item) => list.includes(item));
    if (operator === '$nin') return isText ? !items.some(isPart) : !items.some((item) => list.includes(item));
    if (operator === '$gt') return ordered.some((item) => !(item <= operand));
    if (operator === '$gte') return ordered.some((item) => !(item < operand));
    if (operator === '$lt') return ordered.some((item) => !(item >= operand));
    if (operator === '$lte') return ordered.some((item) => !(item > operand));
    return items.some(
      (item) => typeof item === 'string' && item.slice(0, (operand as string).length) === operand,
    );
  };
  const [operators, fields] = [/^\$/, /^(?!\$)/].map((form) =>
    Object.entries(condition).filter(([name]) => form.test(name)),
  );
  const isObject = (item: unknown): item is object =>
    typeof item === 'object' && item !== null && !Array.isArray(item);
  const hasAll = (item: unknown) =>
    isObject(item) &&
    fields!.every(([name, inner]) => naively(inner, new Map(Object.entries(item)).get(name)));
  return (
    operators!.every(([name, operand]) => sentence(name, operand as never)) &&
    (fields!.length === 0 || items.some(hasAll))
  );
}

test('random filters decide about random data as a naive reading of the guide does', () => {
  let seed = 55;
  const below = (end: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * end);
  };
  const one = <T>(choices: readonly T[]): T => choices[below(choices.length)]!;
  const scalar = () => one<unknown>(['', 'a', 'ab', 'b', 0, 1, -1.5, true, false, null]);
  const NAMES = ['a', 'b', 'c', 'toString'];
  const value = (depth: number): unknown => {
    const kind = below(depth === 0 ? 1 : 4);
    if (kind < 2) return scalar();
    const items = Array.from({ length: below(4) }, () => value(depth - 1));
    return kind === 2 ? items : Object.fromEntries(items.map((item) => [one(NAMES), item]));
  };
  const comparison = (): [string, unknown] => {
    const ordered = () => one<unknown>(['', 'a', 'b', 0, 1]);
    return one<() => [string, unknown]>([
      () => ['$eq', scalar()],
      () => ['$neq', scalar()],
      () => ['$in', one<unknown>(['a', 'b', [scalar(), scalar()]])],
      () => ['$nin', one<unknown>(['a', 'b', [scalar()], Array.from({ length: 20 }, scalar)])],
      () => [one(['$gt', '$gte', '$lt', '$lte']), ordered()],
      () => ['$startsWith', one(['', 'a', 'b'])],
      () => ['$exist', one([true, false])],
    ])();
  };
  const condition = (depth: number, isData: boolean): object => {
    const inner = () => condition(depth - 1, isData);
    const entries = Array.from({ length: 1 + below(2) }, (): [string, unknown] => {
      const kind = below(depth === 0 ? 2 : 6);
      if (kind === 0 || (kind === 1 && isData)) return [one(NAMES), scalar()];
      if (kind === 1) return comparison();
      if (kind === 2) return [one(['$and', '$or']), Array.from({ length: 1 + below(2) }, inner)];
      if (kind === 3) return ['$not', inner()];
      return [one(NAMES), condition(depth - 1, false)];
    });
    return Object.fromEntries(entries);
  };
  let matched = 0;
  for (let round = 0; round < 30_000; round += 1) {
    const filter = condition(3, true);
    const data = Object.fromEntries(NAMES.slice(0, 3).map((name) => [name, value(3)]));
    const isDecided =
      findFilterProblem(filter) === null || /needs a field/.test(findFilterProblem(filter)!.message);
    const isMatch = matchesFilter(filter as Filter, data);
    expect({ filter, data, isDecided, isMatch }).toEqual({
      filter,
      data,
      isDecided: true,
      isMatch: naively(filter, data),
    });
    if (isMatch) matched += 1;
  }
  // Neither all nor none.
  expect(matched).toBeGreaterThan(3_000);
  expect(matched).toBeLessThan(27_000);
});

test('the largest filters stay cheap on the largest objects', () => {
  const numbers = Array.from({ length: 1_200 }, (_, n) => n % 10);
  const items = Array.from({ length: 32_000 }, (_, n) => ({ a: -n - 1 }));
  const data = { items, long: 'a'.repeat(256 * 1_024) };
  const filters = [
    { items: { a: { $in: numbers } } },
    { $or: Array.from({ length: 32 }, (_, n) => ({ items: { a: { $gt: n } } })) },
    { $not: { $or: Array.from({ length: 32 }, (_, n) => ({ items: { a: { $lte: -32_000 - n } } })) } },
    { long: { $in: `b${'a'.repeat(99)}` } },
    { long: { $in: `${'a'.repeat(99)}b` } },
    { long: { $in: `${'a'.repeat(50)}b${'a'.repeat(49)}` } },
    { $or: Array.from({ length: 31 }, (_, n) => ({ long: { $in: `${'a'.repeat(90)}b${n}` } })) },
  ];
  for (const filter of filters) {
    expect(findFilterProblem(filter)).toBeNull();
    // What cannot be decided is sent.
    const budget = createFilterBudget();
    const before = budget.steps;
    expect(matchesFilter(filter, data, budget)).toBe(true);
    expect(before - budget.steps).toBe(MAX_STEPS);
  }
});

test('every comparison of an item counts, and the values of a list count together', () => {
  const items = Array.from({ length: 20 }, () => ({ a: 1 }));
  const stepsOf = (filter: Filter) => {
    expect(findFilterProblem(filter)).toBeNull();
    const budget = createFilterBudget();
    const before = budget.steps;
    expect(matchesFilter(filter, { items, numbers: items.map(({ a }) => a) }, budget)).toBe(false);
    return before - budget.steps;
  };
  expect(stepsOf({ items: { a: 2 } })).toBe(20);
  expect(stepsOf({ items: { a: { $gt: 0, $lt: 1 }, b: 1 } })).toBe(20 * 3);
  expect(stepsOf({ items: { a: { $or: Array.from({ length: 32 }, () => ({ $gt: 1 })) } } })).toBe(20 * 32);
  expect(stepsOf({ numbers: { $in: [2, 3] } })).toBe(20);
  expect(stepsOf({ numbers: { $in: Array(800).fill(2) } })).toBe(20 * 100);
  expect(stepsOf({ items: { a: { $in: Array(792).fill(2) }, b: 1 } })).toBe(2_000);
});

test('texts of 100 KiB are searched to their ends', () => {
  const text = `${'a'.repeat(100 * 1_024)}needle`;
  expect(matchesFilter({ text: { $in: 'needle' } }, { text })).toBe(true);
  expect(matchesFilter({ text: { $in: 'noodle' } }, { text })).toBe(false);
});

test('the evaluations of a transaction share a budget, and send what exceeds it', () => {
  const data = { text: 'a'.repeat(64 * 1_000) };
  const filter = { text: { $in: 'b' } };
  const budget = { steps: 2_500 };
  expect([1, 2, 3, 4].map(() => matchesFilter(filter, data, budget))).toEqual([false, false, true, true]);
  // A condition that searches nothing is still decided.
  expect(matchesFilter({ text: { $eq: 'b' } }, data, budget)).toBe(false);
  expect(budget.steps).toBe(0);
});

test('arrays of real sizes are examined to their ends', () => {
  const participants = Array.from({ length: 300 }, (_, n) => ({ email: `p${n}@x.example` }));
  const filter = { $or: Array.from({ length: 6 }, (_, n) => ({ participants: { email: `q${n}` } })) };
  expect(matchesFilter(filter, { participants })).toBe(false);
  expect(matchesFilter({ participants: { email: 'p299@x.example' } }, { participants })).toBe(true);
});
