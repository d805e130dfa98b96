import type { Authentication } from 'zapier-platform-core';
import { apiUrl } from './requests.ts';

/** An API key of a workspace. */
export const authentication: Authentication = {
  type: 'custom',
  fields: [
    {
      key: 'baseUrl',
      label: 'Base URL',
      required: true,
      helpText: 'The URL of the API, which ends in `/api/v1`. If it has no path, `/api/v1` is added.',
    },
    {
      key: 'apiKey',
      label: 'API key',
      type: 'password',
      required: true,
      helpText:
        'A key that reads the workspace. The instant triggers need one that may also register webhook endpoints.',
    },
  ],
  test: async (z, bundle) => (await z.request({ url: apiUrl(bundle, '/status') })).data,
  connectionLabel: '{{company.name}}',
};
