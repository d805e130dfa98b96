import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconShieldQuestion } from '@tabler/icons-react';
import { Sign } from '../parts/values/sign.tsx';
import { type Endpoint, getEndpointState } from './endpoint.ts';

/** Shows the state of an endpoint. */
export function EndpointStatus({ endpoint }: { endpoint: Endpoint }) {
  switch (getEndpointState(endpoint)) {
    case 'disabled':
      return (
        <Sign color="red.7" tone="danger" icon={<IconCircleX size={16} />}>
          Disabled
        </Sign>
      );
    case 'unverified':
      return (
        <Sign color="orange.6" tone="warning" icon={<IconShieldQuestion size={16} />}>
          Awaits a test
        </Sign>
      );
    case 'failing':
      return (
        <Sign color="orange.6" tone="warning" icon={<IconAlertTriangle size={16} />}>
          Failing
        </Sign>
      );
    default:
      return (
        <Sign color="teal.6" icon={<IconCircleCheck size={16} />}>
          Enabled
        </Sign>
      );
  }
}
