import { z } from 'zod';

/** What a person who sets a variable has to know of it. `docs/operators/settings.md` is made from this. */
export interface SettingFacts {
  /** What it does, in Markdown. Links are those of a page in `docs/reference`. */
  about: string;
  /** What it may be: the bounds of a number with their unit, or the form of a text. */
  form: string;
  /** The text that takes the place of a missing variable. */
  preset?: string;
  /** What holds without it, in words, if no text has that effect. */
  otherwise?: string;
  /** Whether no process starts without it. */
  isRequired?: true;
  /** Whether it is a password or a key, which belongs into a Secret. */
  isSecret?: true;
}

/** How the text of a variable is read. */
type Reader = z.ZodType<unknown, string>;

const factsOfSettings = z.registry<SettingFacts>();

/**
 * Declares a setting, once: how it is read, its default, and what a person has to know of it. It is part of the object of an
 * app that reads it, under the name of its variable.
 */
export function setting<T extends Reader>(reader: T, facts: SettingFacts & { isRequired: true }): T;
export function setting<T extends Reader>(
  reader: T,
  facts: SettingFacts & { preset: string },
): z.ZodPrefault<T>;
export function setting<T extends Reader>(reader: T, facts: SettingFacts): z.ZodOptional<T>;
export function setting(reader: Reader, facts: SettingFacts): z.ZodType {
  const declared = facts.isRequired ? reader : withDefault(reader, facts.preset);
  factsOfSettings.add(declared, facts);
  return declared;
}

function withDefault(reader: Reader, preset: string | undefined): z.ZodType {
  return preset === undefined ? reader.optional() : reader.prefault(preset);
}

/** What is known of each setting of an object, in the order of their declarations. */
export function factsOf(settings: z.ZodObject): ReadonlyMap<string, SettingFacts> {
  return new Map(
    Object.entries(settings.shape).map(([name, declared]) => {
      const facts = factsOfSettings.get(declared);
      if (facts === undefined) throw new Error(`${name} is not declared as a setting`);
      return [name, facts];
    }),
  );
}

/** A setting that is a whole number. */
interface WholeNumber extends Omit<SettingFacts, 'form' | 'preset'> {
  least: number;
  most: number;
  /** Also 0, which then has a meaning of its own. */
  orZero?: true;
  /** What it counts, where the name does not say it, such as `ms`. */
  unit?: string;
  preset?: number;
}

type NumberReader = z.ZodType<number, string>;

/** Declares a whole number between two bounds. */
export function wholeNumber(declared: WholeNumber & { preset: number }): z.ZodPrefault<NumberReader>;
export function wholeNumber(declared: WholeNumber): z.ZodOptional<NumberReader>;
export function wholeNumber({ least, most, orZero, unit, preset, ...facts }: WholeNumber): z.ZodType {
  const message = `must be ${orZero ? '0 or ' : ''}a whole number from ${least} to ${most}`;
  const reader = z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => (value >= least && value <= most) || (orZero && value === 0), { message });
  const form = `${orZero ? '0, or ' : ''}${least} to ${most}${unit === undefined ? '' : ` ${unit}`}`;
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
