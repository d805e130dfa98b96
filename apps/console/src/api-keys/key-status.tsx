import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconClock, IconRefresh } from '@tabler/icons-react';
import { Sign } from '../parts/values/sign.tsx';
import { Ago } from '../parts/values/time.tsx';
import type { ApiKey, KeyState } from './api-key.ts';

/** Shows the state of a key, and when it expires. */
export function KeyStatus({ apiKey, state }: { apiKey: ApiKey; state: KeyState }) {
  const ends = apiKey.expiresAt === null ? null : <Ago at={apiKey.expiresAt} />;
  switch (state) {
    case 'revoked':
      return (
        <Sign color="gray.6" icon={<IconCircleX size={16} />}>
          Revoked {apiKey.revokedAt !== null && <Ago at={apiKey.revokedAt} />}
        </Sign>
      );
    case 'expired':
      return (
        <Sign color="gray.6" icon={<IconClock size={16} />}>
          Expired {ends}
        </Sign>
      );
    case 'replaced':
      return (
        <Sign color="orange.6" tone="warning" icon={<IconRefresh size={16} />}>
          Replaced, ends {ends}
        </Sign>
      );
    case 'expiring':
      return (
        <Sign color="orange.6" tone="warning" icon={<IconAlertTriangle size={16} />}>
          Expires {ends}
        </Sign>
      );
    default:
      return (
        <Sign color="teal.6" icon={<IconCircleCheck size={16} />}>
          {ends === null ? 'Active' : <>Active, expires {ends}</>}
        </Sign>
      );
  }
}
