import { IconCheck, IconLoader, IconX } from '@tabler/icons-react';
import type { components } from '../api/generated/console.ts';
import { Sign } from '../parts/values/sign.tsx';
import { kindName } from './call-kinds.ts';

type Call = components['schemas']['Call'];

const LOOKS = {
  completed: { color: 'teal.6', icon: <IconCheck size={16} />, name: 'Completed' },
  processing: { color: 'blue.6', icon: <IconLoader size={16} />, name: 'Processing' },
  failed: { color: 'red.6', icon: <IconX size={16} />, name: 'Failed' },
} satisfies Record<Call['status'], object>;

/** Returns the title of a call, or the name of the prospect. */
export function callTitle({
  title,
  prospectName,
  kind,
}: Pick<Call, 'title' | 'prospectName' | 'kind'>): string {
  return title ?? (prospectName === null ? 'Untitled call' : `${kindName(kind)} with ${prospectName}`);
}

/** Shows the processing state of a call, as an icon with a word. */
export function CallState({ status }: { status: Call['status'] }) {
  const { color, icon, name } = LOOKS[status];
  return (
    <Sign color={color} icon={icon} tone={status === 'failed' ? 'danger' : 'plain'}>
      {name}
    </Sign>
  );
}
