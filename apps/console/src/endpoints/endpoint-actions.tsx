import { Button, Group, Menu } from '@mantine/core';
import {
  IconChevronDown,
  IconPencil,
  IconPlayerPause,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DisableDialog } from './forms/disable-dialog.tsx';
import type { Endpoint } from './endpoint.ts';
import { RemoveEndpointDialog } from './forms/remove-endpoint-dialog.tsx';
import { RotateSecretDialog } from './forms/rotate-secret-dialog.tsx';
import { PageButton } from '../parts/lists/page-links.tsx';

const DAY_MS = 86_400_000;

/** The actions for an endpoint, in the header of its page. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const [open, setOpen] = useState<'disable' | 'rotate' | 'remove' | null>(null);
  const navigate = useNavigate();
  const close = () => setOpen(null);
  return (
    <Group gap="sm">
      <PageButton
        variant="default"
        leftSection={<IconPencil size={16} />}
        to="/endpoints/$endpointId/change"
        params={{ endpointId: String(endpoint.id) }}
      >
        Change
      </PageButton>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => setOpen('rotate')}>
            Rotate the signing secret
          </Menu.Item>
          {endpoint.enabled && (
            <Menu.Item
              leftSection={<IconSend size={16} />}
              onClick={() =>
                void navigate({
                  to: '/endpoints/$endpointId',
                  params: { endpointId: String(endpoint.id) },
                  search: { missedSince: new Date(Date.now() - DAY_MS).toISOString() },
                })
              }
            >
              Send what it missed
            </Menu.Item>
          )}
          {endpoint.enabled && (
            <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => setOpen('disable')}>
              Disable
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            className="danger-text"
            leftSection={<IconTrash size={16} />}
            onClick={() => setOpen('remove')}
          >
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DisableDialog endpoint={endpoint} isOpen={open === 'disable'} close={close} />
      <RotateSecretDialog endpoint={endpoint} isOpen={open === 'rotate'} close={close} />
      <RemoveEndpointDialog
        endpoint={endpoint}
        isOpen={open === 'remove'}
        close={close}
        onRemoved={() => navigate({ to: '/endpoints' })}
      />
    </Group>
  );
}
