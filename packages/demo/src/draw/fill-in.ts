/** What the placeholders of a text stand for. */
export type Facts = Readonly<Record<string, string>>;

/**
 * Replaces every `{name}` of a text by its fact.
 *
 * @throws Error that names a placeholder without a fact, so that no text ever shows a pair of braces.
 */
export function fillIn(text: string, facts: Facts): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const fact = facts[name];
    if (fact === undefined) throw new Error(`no fact for {${name}} in: ${text}`);
    return fact;
  });
}
