import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import { expect, test } from '@jest/globals';
import { createMetrics, type Metrics } from '../src/metrics.ts';

test('two apps in one process have separate metrics', async () => {
  const [one, other]: Metrics[] = [createMetrics(), createMetrics()];
  one!.countedLocally.inc();
  const name = 'deal_signals_rate_limit_counted_locally_total';
  expect(parseScrape(await one!.registry.metrics()).values.get(name)).toBe(1);
  expect(parseScrape(await other!.registry.metrics()).values.get(name)).toBe(0);
});
