import type { z } from 'zod';
import { nearestName } from './nearest.ts';
import type { FieldError } from './record-error.ts';

/** The fields of an object and, for those that hold objects or lists of objects, their fields. */
export type KnownFields = ReadonlyMap<string, KnownFields | null>;

/** Reads the fields of an object, or of the objects in a list, from its schema; null if it may have any fields. */
export function knownFields(schema: z.core.$ZodType): KnownFields | null {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return new Map(Object.entries(def.shape).map(([name, field]) => [name, knownFields(field)]));
    case 'array':
      return knownFields(def.element);
    case 'optional':
    case 'nullable':
    case 'default':
      return knownFields(def.innerType);
    case 'pipe':
      return knownFields((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in);
    default:
      return null;
  }
}

/** Finds the fields of a value, and of the objects in it, that are not known. The caller can stop: there may be any number of them. */
export function* unknownFields(value: unknown, known: KnownFields, path = ''): Generator<FieldError, void> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [n, item] of value.entries()) {
      // No list of objects has lists in it: those are errors of another kind, however deep they are.
      if (!Array.isArray(item)) yield* unknownFields(item, known, `${path}${n}.`);
    }
    return;
  }
  for (const name in value) {
    const inner = known.get(name);
    if (inner === undefined) yield { field: `${path}${name}`, message: unknownField(name, known) };
    else if (inner !== null) {
      yield* unknownFields(value[name as keyof typeof value], inner, `${path}${name}.`);
    }
  }
}

/** Returns whether a path leads to a known field, or into one that may have any fields. */
export function isKnown(path: readonly (string | number)[], known: KnownFields): boolean {
  let fields: KnownFields | null = known;
  for (const name of path) {
    if (typeof name === 'number') continue;
    const inner: KnownFields | null | undefined = fields.get(name);
    if (inner === undefined) return false;
    if (inner === null) return true;
    fields = inner;
  }
  return true;
}

function unknownField(name: string, known: KnownFields): string {
  const nearest = nearestName(name, known.keys());
  return nearest === undefined ? 'unknown field' : `unknown field; did you mean ${nearest}?`;
}
