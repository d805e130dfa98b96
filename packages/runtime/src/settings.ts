import { z } from 'zod';

/** The documentation of a setting. `docs/operators/settings.md` is generated from it. */
export interface SettingFacts {
  /** What the setting does, in Markdown. Links are relative to the pages in `docs/reference`. */
  about: string;
  /** The accepted values: the bounds of a number with their unit, or the form of a text. */
  form: string;
  /** The default value, as the text of a variable. */
  preset?: string;
  /** The behavior without a value, in words, if no text has the same effect. */
  otherwise?: string;
  /** Whether a process needs it to start. */
  isRequired?: true;
  /** Whether it is a password or a key, which belongs in a Secret. */
  isSecret?: true;
}

/** Parses the text of a variable. */
type Reader = z.ZodType<unknown, string>;

const documentation = z.registry<SettingFacts>();

/**
 * Declares a setting: its parser, its default and its documentation. An app that reads it includes it in its object of settings,
 * under the name of the variable.
 */
export function setting<T extends Reader>(reader: T, facts: SettingFacts & { isRequired: true }): T;
export function setting<T extends Reader>(
  reader: T,
  facts: SettingFacts & { preset: string },
): z.ZodPrefault<T>;
export function setting<T extends Reader>(reader: T, facts: SettingFacts): z.ZodOptional<T>;
export function setting(reader: Reader, facts: SettingFacts): z.ZodType {
  const declared = facts.isRequired ? reader : withDefault(reader, facts.preset);
  documentation.add(declared, facts);
  return declared;
}

function withDefault(reader: Reader, preset: string | undefined): z.ZodType {
  return preset === undefined ? reader.optional() : reader.prefault(preset);
}

/** Returns the documentation of each setting of an object, in the order of the declarations. */
export function getFacts(settings: z.ZodObject): ReadonlyMap<string, SettingFacts> {
  return new Map(
    Object.entries(settings.shape).map(([name, declared]) => {
      const facts = documentation.get(declared);
      if (facts === undefined) throw new Error(`${name} is not declared as a setting`);
      return [name, facts];
    }),
  );
}

/** A setting with a whole number as its value. */
interface WholeNumber extends Omit<SettingFacts, 'form' | 'preset'> {
  min: number;
  max: number;
  /** Whether 0 is accepted too, with a meaning of its own. */
  orZero?: true;
  /** The unit, such as `ms`, if the name does not say it. */
  unit?: string;
  preset?: number;
}

type NumberReader = z.ZodType<number, string>;

/** Declares a whole number between two bounds. */
export function wholeNumber(declared: WholeNumber & { preset: number }): z.ZodPrefault<NumberReader>;
export function wholeNumber(declared: WholeNumber): z.ZodOptional<NumberReader>;
export function wholeNumber({ min, max, orZero, unit, preset, ...facts }: WholeNumber): z.ZodType {
  const message = `must be ${orZero ? '0 or ' : ''}a whole number from ${min} to ${max}`;
  const reader = z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => (value >= min && value <= max) || (orZero && value === 0), { message });
  const form = `${orZero ? '0, or ' : ''}${min} to ${max}${unit === undefined ? '' : ` ${unit}`}`;
  return setting(reader, { ...facts, form, ...(preset !== undefined && { preset: String(preset) }) });
}

/** Declares a switch that is off by default. */
export function flag(about: string) {
  const reader = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');
  return setting(reader, { about, form: 'true or false', preset: 'false' });
}

/** Reads a list whose items are separated by commas. Spaces around the items are ignored. */
export const commaSeparated = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
