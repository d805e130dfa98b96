import type { RunningApp } from '@deal-signals/test-kit/processes';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';

/** Returns the base URL of a worker's health endpoints, once it has logged that it is ready. */
export function healthUrl(worker: RunningApp): string {
  const port = /"message":"worker ready","port":(\d+)/.exec(worker.output())?.[1];
  return `http://127.0.0.1:${port}`;
}

/** Scrapes the metrics of a worker. */
export async function scrapeOf(url: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${url}/metrics`);
  if (response.status !== 200) throw new Error(`/metrics responded with ${response.status}`);
  return parseScrape(await response.text()).values;
}
