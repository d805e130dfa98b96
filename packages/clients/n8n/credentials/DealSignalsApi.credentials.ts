import type {
  ICredentialDataDecryptedObject,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  IHttpRequestOptions,
  INodeProperties,
} from 'n8n-workflow';
import { parseBaseUrl } from './base-url';

/** An API key of a workspace. */
export class DealSignalsApi implements ICredentialType {
  name = 'dealSignalsApi';

  displayName = 'Deal Signals API';

  icon: Icon = { light: 'file:../icons/deal-signals.svg', dark: 'file:../icons/deal-signals.dark.svg' };

  documentationUrl = 'https://api.example.com/api/v1/docs';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://api.example.com/api/v1',
      description: 'The URL of the API, which ends in /api/v1. The path is added if it is missing.',
      required: true,
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description:
        'A key that reads the workspace. The instant trigger needs one that may also register webhook endpoints.',
      required: true,
    },
  ];

  /** Completes every request of the nodes. Their URLs begin with the path below the base URL. */
  async authenticate(
    { baseUrl, apiKey }: ICredentialDataDecryptedObject,
    request: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> {
    return {
      ...request,
      baseURL: parseBaseUrl(String(baseUrl)),
      headers: { ...request.headers, Authorization: `Bearer ${String(apiKey)}` },
      // No operation of the API redirects, so following a redirect would send the key to another server.
      disableFollowRedirect: true,
    };
  }

  test: ICredentialTestRequest = { request: { url: '/status' } };
}
