/** The metrics that an app exposes to Prometheus. */
export interface Scrape {
  /** The type of every declared metric, whether or not the metric has a value. */
  types: ReadonlyMap<string, string>;
  /** Every value, by its name and labels as written: `requests_total{method="GET"}`. */
  values: ReadonlyMap<string, number>;
}

/**
 * Parses the Prometheus text format.
 * @throws Error that shows the first invalid line.
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
      throw new Error(`not a line of the Prometheus text format: ${line}`);
  }
  return { types, values };
}
