/** The values for the placeholders of a text, by name. */
export type Facts = Readonly<Record<string, string>>;

/**
 * Replaces every `{name}` in a text with its fact.
 *
 * @throws Error if a placeholder has no fact, so that no text is ever shown with braces in it.
 */
export function fillIn(text: string, facts: Facts): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const fact = facts[name];
    if (fact === undefined) throw new Error(`no fact for {${name}} in: ${text}`);
    return fact;
  });
}
