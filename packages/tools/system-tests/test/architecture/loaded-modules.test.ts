import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { expect, test } from '@jest/globals';

/** A script that runs before an app. All packages of OpenTelemetry are CommonJS, so this cache lists the loaded ones. */
const LIST_WHEN_IT_ENDS = `
  import { writeSync } from 'node:fs';
  import { createRequire } from 'node:module';
  const { cache } = createRequire(process.execPath);
  process.on('exit', () => writeSync(1, Object.keys(cache).join('\\n')));`;

/**
 * Returns the packages of OpenTelemetry that an app loads before it fails for missing settings. `prom-client` always loads the
 * API package, which does nothing without the others.
 */
function loadedBy(app: string, env: Record<string, string>): string[] {
  const { builtFolder } = currentTestRun();
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${LIST_WHEN_IT_ENDS}`,
      path.join(builtFolder, 'apps', app, 'dist/main.js'),
    ],
    { env, encoding: 'utf8', maxBuffer: 10_000_000 },
  );
  expect(stderr).toContain('DATABASE_URL');
  const names = stdout.matchAll(/node_modules\/(@opentelemetry\/(?!api\/)[^/]+|bullmq-otel)\//g);
  return [...new Set([...names].map(([, name]) => name!))];
}

test('an app loads the SDK and the instrumentations of OpenTelemetry only when it traces', () => {
  expect(loadedBy('api', {})).toEqual([]);
  expect(loadedBy('worker', {})).toEqual([]);
  const traced = loadedBy('api', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  expect(traced).toEqual(
    expect.arrayContaining(['@opentelemetry/sdk-trace-node', '@opentelemetry/instrumentation-pg']),
  );
});
