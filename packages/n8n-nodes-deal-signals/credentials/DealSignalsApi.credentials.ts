import type {
  IAuthenticateGeneric,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow';

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
      description: 'The URL of the API, which ends in /api/v1',
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

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };

  test: ICredentialTestRequest = { request: { baseURL: '={{$credentials.baseUrl}}', url: '/status' } };
}
