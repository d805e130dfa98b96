/** What an app shows to Prometheus. */
export interface Scrape {
  /** Every metric that is declared, whether or not it has a value, and its type. */
  types: ReadonlyMap<string, string>;
  /** Every value, by name and labels as they are written: `requests_total{method="GET"}`. */
  values: ReadonlyMap<string, number>;
}

/**
 * Reads Prometheus' text format.
 * @throws Error that shows the first line that is none of it.
 */
export function parseScrape(text: string): Scrape {
  const types = new Map<string, string>();
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, declared, type] = /^# TYPE (\w+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    const [, series, value] = /^(\w+(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})?) (\S+)$/.exec(line) ?? [];
    if (declared !== undefined && type !== undefined) types.set(declared, type);
    else if (series !== undefined) values.set(series, Number(value));
    else if (line !== '' && !line.startsWith('# HELP '))
      throw new Error(`not Prometheus' text format: ${line}`);
  }
  return { types, values };
}
