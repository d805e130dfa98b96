import {
  IconActivity,
  IconBuilding,
  IconLink,
  IconPhone,
  IconPlugConnected,
  IconSend,
  IconUser,
} from '@tabler/icons-react';
import type { components } from '../api/generated/console.ts';

/** An object that the search found. */
export type Found = components['schemas']['FoundObject'];

const ICONS: Record<Found['kind'], typeof IconUser> = {
  room: IconBuilding,
  call: IconPhone,
  person: IconUser,
  share_link: IconLink,
  delivery: IconSend,
  event: IconActivity,
  endpoint: IconPlugConnected,
};

/** The label of each kind of object. */
export const KIND_NAMES: Record<Found['kind'], string> = {
  room: 'Room',
  call: 'Call',
  person: 'Person',
  share_link: 'Share link',
  delivery: 'Delivery',
  event: 'Event',
  endpoint: 'Endpoint',
};

/** The icon of a kind of object. */
export function FoundIcon({ kind }: { kind: Found['kind'] }) {
  const Icon = ICONS[kind];
  return <Icon size={16} stroke={1.75} aria-hidden />;
}
