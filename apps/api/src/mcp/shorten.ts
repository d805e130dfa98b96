/** What is kept of a record that is too long: characters of each text, items of each list, and fields of each nested object. */
const STEPS = [
  { characters: 2_000, entries: 50 },
  { characters: 500, entries: 25 },
  { characters: 200, entries: 10 },
  { characters: 100, entries: 5 },
];
/** The deepest level of a record that is kept. Metadata of an event can be nested as deep as somebody likes. */
const DEEPEST = 6;

/**
 * Parses a record, and shortens it until its JSON fits, so that one record cannot fill the context of a model. What is left
 * out is said where it was, and `shortened` is true.
 *
 * @param text the JSON of the record. It is not made here, because metadata may be nested too deep for that.
 */
export function shorten(text: string, mostCharacters: number): Record<string, unknown> {
  const record = JSON.parse(text) as Record<string, unknown>;
  if (text.length <= mostCharacters) return record;
  for (const { characters, entries } of STEPS) {
    const shown = { shortened: true, ...(cut(record, characters, entries, 0) as Record<string, unknown>) };
    if (JSON.stringify(shown).length <= mostCharacters) return shown;
  }
  // Escaping can double the length of a text.
  const { id } = record;
  return {
    shortened: true,
    ...(typeof id === 'string' && { id }),
    beginning: cutText(text, Math.floor(mostCharacters / 4)),
  };
}

function cut(value: unknown, characters: number, entries: number, depth: number): unknown {
  if (typeof value === 'string') return cutText(value, characters);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return '…';
  const inner = (item: unknown): unknown => cut(item, characters, entries, depth + 1);
  if (Array.isArray(value)) {
    const kept = value.slice(0, entries).map(inner);
    return kept.length === value.length ? kept : [...kept, `… (${value.length - kept.length} more)`];
  }
  const fields = Object.entries(value);
  // The fields of the record itself are always kept.
  const kept = depth === 0 ? fields : fields.slice(0, entries);
  return Object.fromEntries([
    ...kept.map(([name, item]) => [cutText(name, characters), inner(item)]),
    ...(kept.length === fields.length ? [] : [['…', `${fields.length - kept.length} more fields`]]),
  ]);
}

/** A text, or its beginning and how many characters follow. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // Half of a surrogate pair is no character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(characters - 1)) ? characters - 1 : characters;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
