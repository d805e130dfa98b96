import { IconCircleDot, IconMoon, IconTrophy, IconX } from '@tabler/icons-react';
import type { components } from '../api/generated/console.ts';
import { Sign } from '../parts/values/sign.tsx';

/** The states of a room. */
export const ROOM_STATUSES = ['open', 'won', 'lost', 'dormant'] as const satisfies RoomStatus[];
/** The state of a room. */
export type RoomStatus = components['schemas']['Room']['status'];

const LOOKS = {
  open: { color: 'blue.6', icon: <IconCircleDot size={16} />, name: 'Open' },
  won: { color: 'teal.6', icon: <IconTrophy size={16} />, name: 'Won' },
  lost: { color: 'red.6', icon: <IconX size={16} />, name: 'Lost' },
  dormant: { color: 'gray.6', icon: <IconMoon size={16} />, name: 'Dormant' },
} satisfies Record<RoomStatus, object>;

/** Shows the state of a room as a word with an icon. */
export function RoomState({ status }: { status: RoomStatus }) {
  const { color, icon, name } = LOOKS[status];
  return (
    <Sign color={color} icon={icon}>
      {name}
    </Sign>
  );
}

/** Returns the label of a state. */
export function statusName(status: RoomStatus): string {
  return LOOKS[status].name;
}
