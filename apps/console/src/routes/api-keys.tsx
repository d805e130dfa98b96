import { Anchor, Button, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { type ApiKey, isWorking, getKeyState } from '../api-keys/api-key.ts';
import { CreateKeyDialog } from '../api-keys/create-key-dialog.tsx';
import { KeyTable } from '../api-keys/key-table.tsx';
import { RotateKeyDialog } from '../api-keys/rotate-key-dialog.tsx';
import { useApiKeys } from '../api-keys/use-api-keys.ts';
import { PageHead } from '../parts/page-head.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';
import { count } from '../text/numbers.ts';

/** The parts of the page's state that are in its address. */
export interface KeySearch {
  /** Whether the form of a new key is open. */
  create?: true;
  /** Whether keys that no longer work are shown. */
  ended?: true;
  /** The id of the key that a link points to. */
  key?: number;
}

export const Route = createFileRoute('/api-keys')({
  component: ApiKeys,
  validateSearch: ({ create, ended, key }): KeySearch => ({
    ...(create === true && { create }),
    ...(ended === true && { ended }),
    ...(typeof key === 'number' && { key }),
  }),
});

function ApiKeys() {
  const { create, ended, key: chosen } = Route.useSearch();
  const navigate = Route.useNavigate();
  const keys = useApiKeys();
  const [rotated, setRotated] = useState<ApiKey | null>(null);
  const [isRotating, rotating] = useDisclosure();
  const rotate = (key: ApiKey) => {
    setRotated(key);
    rotating.open();
  };
  const now = new Date();
  const working = keys.filter((key) => isWorking(getKeyState(key, now)));
  const past = keys.filter((key) => !isWorking(getKeyState(key, now)));
  // The key that a link points to may have expired.
  const isPastShown = ended === true || past.some(({ id }) => id === chosen);
  const add = (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={() => void navigate({ search: (before) => ({ ...before, create: true }) })}
    >
      Create a key
    </Button>
  );
  const isEmpty = working.length === 0;
  return (
    <>
      <PageHead title="API keys" actions={isEmpty ? undefined : add}>
        Give each system its own key to read the workspace.{' '}
        <Anchor href="/api/v1/docs" inherit underline="always">
          See the reference for the available data.
        </Anchor>
      </PageHead>
      <Stack gap="lg">
        <div className="panel">
          {isEmpty ? (
            <EmptyScreen title="No API key yet" action={add}>
              With a key, one of your systems can read calls, rooms and engagement. It cannot change anything.
            </EmptyScreen>
          ) : (
            <KeyTable caption="API keys that work" keys={working} chosen={chosen} rotate={rotate} />
          )}
        </div>
        {past.length > 0 && (
          <section aria-labelledby="ended">
            <Button
              variant="subtle"
              size="compact-sm"
              aria-expanded={isPastShown}
              onClick={() =>
                void navigate({
                  search: (before) => ({ ...before, key: undefined, ended: isPastShown ? undefined : true }),
                  resetScroll: false,
                })
              }
            >
              {isPastShown ? 'Hide' : 'Show'} {count(past.length)}{' '}
              {past.length === 1 ? 'key that no longer works' : 'keys that no longer work'}
            </Button>
            {isPastShown && (
              <div className="panel" style={{ marginTop: '0.75rem' }}>
                <Title order={2} id="ended" className="visually-hidden">
                  Keys that no longer work
                </Title>
                <KeyTable
                  caption="API keys that no longer work"
                  keys={past}
                  chosen={chosen}
                  rotate={rotate}
                />
              </div>
            )}
          </section>
        )}
      </Stack>
      {/* It belongs to the page and not to the row of the key, which may leave the list before the new key is stored. */}
      {rotated !== null && <RotateKeyDialog apiKey={rotated} isOpen={isRotating} close={rotating.close} />}
      <CreateKeyDialog
        isOpen={create === true}
        close={() => void navigate({ search: (before) => ({ ...before, create: undefined }), replace: true })}
      />
    </>
  );
}
