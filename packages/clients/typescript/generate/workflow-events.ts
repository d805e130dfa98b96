import { type Description, GENERATED } from './generate.ts';

/** Returns the source of the events that the trigger of n8n offers, sorted by name as its linter requires. */
export function n8nEventsSource({ events }: Description): string {
  const options = Object.entries(events)
    .flatMap(([type, { trigger }]) => (trigger === null ? [] : [{ name: trigger.title, value: type }]))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const rows = options.map(({ name, value }) => `  { name: '${name}', value: '${value}' },`);
  return `// ${GENERATED}\nexport const EVENT_OPTIONS = [\n${rows.join('\n')}\n];\n`;
}

/**
 * Returns the source of the console's event texts: what each event reports, the kind of its object, and the field of `data`
 * that holds it.
 */
export function consoleEventsSource({ events }: Description): string {
  const shown = Object.entries(events).map(([type, { meaning, object, objectField }]) => [
    type,
    { meaning, object, objectField },
  ]);
  const text = JSON.stringify(Object.fromEntries(shown), null, 2);
  return `// ${GENERATED}\n\nexport const EVENTS = ${text} as const;\n`;
}

/** Returns the source of the events that can start a Zap. */
export function zapierEventsSource({ events }: Description): string {
  const triggers = Object.entries(events).flatMap(([type, { trigger }]) => {
    if (trigger === null) return [];
    const { noun, title, when } = trigger;
    const words = title.split(' ');
    const named = words.slice(0, -1).join(' ');
    const label = words.at(-1) === 'Updated' ? `Updated ${named}` : `New ${named}`;
    return [{ key: title.toLowerCase().replaceAll(' ', '_'), type, noun, label, when }];
  });
  return `// ${GENERATED}\nexport const EVENT_TRIGGERS = ${JSON.stringify(triggers)} as const;\n`;
}
