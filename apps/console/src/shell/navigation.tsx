import { NavLink, Text } from '@mantine/core';
import {
  IconActivity,
  IconBell,
  IconBuildingStore,
  IconEraser,
  IconGauge,
  IconHelpCircle,
  IconHistory,
  IconKey,
  IconPhone,
  IconSend,
  IconSkull,
  IconWebhook,
} from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Page {
  to: NonNullable<LinkProps['to']>;
  label: string;
  icon: ReactNode;
}

/** The pages, in the order and groups of the navigation. */
const GROUPS: readonly { title: string; pages: readonly Page[] }[] = [
  {
    title: 'Webhooks',
    pages: [
      { to: '/', label: 'Overview', icon: <IconGauge size={18} /> },
      { to: '/endpoints', label: 'Endpoints', icon: <IconWebhook size={18} /> },
      { to: '/deliveries', label: 'Deliveries', icon: <IconSend size={18} /> },
      { to: '/dead-letters', label: 'Dead letters', icon: <IconSkull size={18} /> },
      { to: '/alert-channels', label: 'Alert channels', icon: <IconBell size={18} /> },
      { to: '/why', label: "Why didn't it arrive?", icon: <IconHelpCircle size={18} /> },
    ],
  },
  {
    title: 'Signals',
    pages: [
      { to: '/rooms', label: 'Rooms', icon: <IconBuildingStore size={18} /> },
      { to: '/calls', label: 'Calls', icon: <IconPhone size={18} /> },
      { to: '/events', label: 'Events', icon: <IconActivity size={18} /> },
    ],
  },
  {
    title: 'Access',
    pages: [
      { to: '/api-keys', label: 'API keys', icon: <IconKey size={18} /> },
      { to: '/erasures', label: 'Erasures', icon: <IconEraser size={18} /> },
      { to: '/audit-log', label: 'Audit log', icon: <IconHistory size={18} /> },
    ],
  },
];

/** Links to all pages. */
export function Navigation() {
  return (
    <nav aria-label="Pages">
      {GROUPS.map(({ title, pages }) => (
        <div key={title}>
          <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={4}>
            {title}
          </Text>
          {pages.map(({ to, label, icon }) => (
            <Link key={to} to={to} activeOptions={{ exact: to === '/' }} className="nav-link">
              {({ isActive }: { isActive: boolean }) => (
                <NavLink component="span" label={label} leftSection={icon} active={isActive} />
              )}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}
