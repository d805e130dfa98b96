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

/** Finds the fields of a value, and of the objects in it, that are not known. */
export function unknownFields(value: unknown, known: KnownFields, path = ''): FieldError[] {
  if (typeof value !== 'object' || value === null) return [];
  const errors: FieldError[] = [];
  if (Array.isArray(value)) {
    for (const [n, item] of value.entries()) errors.push(...unknownFields(item, known, `${path}${n}.`));
    return errors;
  }
  for (const name in value) {
    const inner = known.get(name);
    if (inner === undefined) errors.push({ field: `${path}${name}`, message: unknownField(name, known) });
    else if (inner !== null) {
      errors.push(...unknownFields(value[name as keyof typeof value], inner, `${path}${name}.`));
    }
  }
  return errors;
}

function unknownField(name: string, known: KnownFields): string {
  const nearest = nearestName(name, known.keys());
  return nearest === undefined ? 'unknown field' : `unknown field; did you mean ${nearest}?`;
}
