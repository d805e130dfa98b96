import { Button, List, Text } from '@mantine/core';
import { useState } from 'react';
import { managementApi } from '../api/clients.ts';
import { queries } from '../api/queries.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Ago } from '../parts/time.tsx';
import type { ApiKey } from './api-key.ts';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

/** What can be done with a key that works. */
export function KeyActions({ apiKey }: { apiKey: ApiKey }) {
  const [open, setOpen] = useState<'rotate' | 'revoke' | null>(null);
  const close = () => setOpen(null);
  const { mutate, error, isPending } = managementApi.useMutation('delete', '/api-keys/{id}', {
    onSuccess: () => {
      close();
      void queries.invalidateQueries();
    },
  });
  return (
    <>
      {apiKey.rotatedAt === null && (
        <Button
          variant="default"
          size="xs"
          aria-label={`Rotate ${apiKey.name}`}
          onClick={() => setOpen('rotate')}
        >
          Rotate
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        className="danger-text"
        aria-label={`Revoke ${apiKey.name}`}
        onClick={() => setOpen('revoke')}
      >
        Revoke
      </Button>
      <RotateKeyDialog apiKey={apiKey} isOpen={open === 'rotate'} close={close} />
      <ConfirmDialog
        isOpen={open === 'revoke'}
        close={close}
        title={`Revoke ${apiKey.name}?`}
        action="Revoke the key"
        error={error}
        isPending={isPending}
        isDestructive
        confirm={() => mutate({ params: { path: { id: apiKey.id } } })}
      >
        <Text size="sm">
          {apiKey.lastUsedAt === null ? (
            'It was never used.'
          ) : (
            <>
              It was last used <Ago at={apiKey.lastUsedAt} />.
            </>
          )}
        </Text>
        <List size="sm" spacing={4}>
          <List.Item>Every further request with it is refused, from the next one on.</List.Item>
          <List.Item>
            This cannot be undone. To replace it without an interruption, rotate it instead.
          </List.Item>
        </List>
      </ConfirmDialog>
    </>
  );
}
