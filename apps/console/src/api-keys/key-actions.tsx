import { Button, List, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { integrationApi } from '../api/clients.ts';
import { ConfirmDialog } from '../parts/forms/confirm-dialog.tsx';
import { Ago } from '../parts/values/time.tsx';
import type { ApiKey } from './api-key.ts';

interface KeyActionsProps {
  apiKey: ApiKey;
  /** Opens the rotation dialog. */
  rotate: (apiKey: ApiKey) => void;
}

/** The actions for a working key. */
export function KeyActions({ apiKey, rotate }: KeyActionsProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const request = integrationApi.useMutation('delete', '/api-keys/{id}', { onSuccess: close });
  return (
    <>
      {apiKey.rotatedAt === null && (
        <Button
          variant="default"
          size="xs"
          aria-label={`Rotate ${apiKey.name}`}
          onClick={() => rotate(apiKey)}
        >
          Rotate
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        className="danger-text"
        aria-label={`Revoke ${apiKey.name}`}
        onClick={open}
      >
        Revoke
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        close={close}
        title={`Revoke ${apiKey.name}?`}
        action="Revoke the key"
        request={request}
        isDestructive
        confirm={() => request.mutate({ params: { path: { id: apiKey.id } } })}
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
          <List.Item>All further requests with it are refused.</List.Item>
          <List.Item>
            This cannot be undone. To replace it without an interruption, rotate it instead.
          </List.Item>
        </List>
      </ConfirmDialog>
    </>
  );
}
