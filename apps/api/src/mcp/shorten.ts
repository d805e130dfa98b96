/**
 * The parts of a record that is too long that are kept at each step: characters of each text, items of each list, and fields of
 * each nested object. The objects of the API have up to 20 fields; only metadata has more.
 */
const STEPS = [
  { characters: 2_000, items: 50, fields: 50 },
  { characters: 500, items: 25, fields: 25 },
  { characters: 200, items: 10, fields: 20 },
  { characters: 100, items: 5, fields: 20 },
];
type Step = (typeof STEPS)[number];

/** The maximum depth of a record that is kept. The metadata of an event can be nested to any depth. */
const DEEPEST = 6;

/**
 * Parses a record, and shortens it until its JSON fits, so that one record cannot fill the context of a model. Each omission is
 * marked in its place, and `shortened` is true.
 *
 * @param text the JSON of the record. It is not serialized here, because metadata may be nested too deeply for that.
 */
export function shorten(text: string, maxCharacters: number): Record<string, unknown> {
  const record = JSON.parse(text) as Record<string, unknown>;
  if (text.length <= maxCharacters) return record;
  for (const step of STEPS) {
    const shown = { shortened: true, ...(cut(record, step, 0) as Record<string, unknown>) };
    if (JSON.stringify(shown).length <= maxCharacters) return shown;
  }
  // Escaping can double the length of a text.
  const { id } = record;
  return {
    shortened: true,
    ...(typeof id === 'string' && { id }),
    beginning: cutText(text, Math.floor(maxCharacters / 4)),
  };
}

function cut(value: unknown, step: Step, depth: number): unknown {
  if (typeof value === 'string') return cutText(value, step.characters);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return '…';
  const inner = (item: unknown): unknown => cut(item, step, depth + 1);
  if (Array.isArray(value)) {
    const kept = value.slice(0, step.items).map(inner);
    return kept.length === value.length ? kept : [...kept, `… (${value.length - kept.length} more)`];
  }
  const fields = Object.entries(value);
  // The fields of the record itself are always kept.
  const kept = depth === 0 ? fields : fields.slice(0, step.fields);
  return Object.fromEntries([
    ...kept.map(([name, item]) => [cutText(name, step.characters), inner(item)]),
    ...(kept.length === fields.length ? [] : [['…', `${fields.length - kept.length} more fields`]]),
  ]);
}

/** Returns a text, or its beginning and the number of omitted characters. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // A lone surrogate is not a character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(characters - 1)) ? characters - 1 : characters;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
