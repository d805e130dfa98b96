import { Badge } from '@mantine/core';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { components } from '../../api/generated/console.ts';

type Delivery = components['schemas']['WebhookDelivery'];

const LOOKS = {
  delivered: {
    name: 'Delivered',
    color: 'teal',
    text: 'light-dark(#065f46, #96f2d7)',
    icon: <IconCheck size={12} />,
  },
  pending: {
    name: 'Pending',
    color: 'blue',
    text: 'light-dark(#1558a0, #a5d8ff)',
    icon: <IconClock size={12} />,
  },
  dead: { name: 'Dead', color: 'red', text: 'light-dark(#9b1c1c, #ffc9c9)', icon: <IconX size={12} /> },
} satisfies Record<Delivery['status'], object>;

/** Shows the state of a delivery as a word, with a colour and an icon. */
export function DeliveryStatus({ status }: { status: Delivery['status'] }) {
  const { name, color, text, icon } = LOOKS[status];
  return (
    <Badge color={color} variant="light" leftSection={icon} tt="none" miw="max-content" c={text}>
      {name}
    </Badge>
  );
}
