import path from 'node:path';
import { eventObjectsSource, pythonEventObjectsSource } from './event-objects.ts';
import { feedColumnsSource, readDescription, REPOSITORY, typesSource } from './generate.ts';
import { loaderFiles } from './loaders/loader-files.ts';
import { pythonColumnsSource, pythonFeedsSource } from './python/feeds.ts';
import { pythonOperationsSource } from './python/operations.ts';
import { pythonTypesSource } from './python/types.ts';
import { consoleEventsSource, n8nEventsSource, zapierEventsSource } from './workflow-events.ts';
import { zapierSamplesSource } from './zapier-samples.ts';

/** Returns the absolute path and the text of every file that is generated from the API's description. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const description = readDescription();
  const inTypeScript = (file: string) =>
    path.join(REPOSITORY, 'packages/clients/typescript/src/generated', file);
  const inPython = (file: string) => path.join(REPOSITORY, 'packages/clients/python/src/deal_signals', file);
  return new Map([
    [inTypeScript('api.ts'), await typesSource(description)],
    [inTypeScript('feed-columns.ts'), feedColumnsSource(description)],
    [inTypeScript('event-objects.ts'), eventObjectsSource(description)],
    [inPython('types.py'), pythonTypesSource(description)],
    [inPython('feeds.py'), pythonFeedsSource(description)],
    [inPython('stores/columns.py'), pythonColumnsSource(description)],
    [inPython('operations.py'), pythonOperationsSource(description)],
    [inPython('event_objects.py'), pythonEventObjectsSource(description)],
    [
      path.join(REPOSITORY, 'packages/clients/zapier/src/generated/samples.ts'),
      zapierSamplesSource(description),
    ],
    [
      path.join(REPOSITORY, 'packages/clients/zapier/src/generated/events.ts'),
      zapierEventsSource(description),
    ],
    [
      path.join(REPOSITORY, 'packages/clients/n8n/nodes/DealSignals/event-options.ts'),
      n8nEventsSource(description),
    ],
    [path.join(REPOSITORY, 'apps/console/src/text/generated/events.ts'), consoleEventsSource(description)],
    ...loaderFiles(description),
  ]);
}
