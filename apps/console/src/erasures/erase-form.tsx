import { Button, Group, List, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { consoleApi } from '../api/clients.ts';
import { queries } from '../api/queries.ts';
import { useRequestForm } from '../api/request-form.ts';
import { ConfirmDialog } from '../parts/forms/confirm-dialog.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { countsIn, type ErasureRequest, type Subject, SUBJECTS } from './erasure.ts';

/** A form to erase a person or a room. It shows what an erasure would change and starts it after a confirmation. */
export function EraseForm() {
  const preview = consoleApi.useMutation('post', '/erasures/preview');
  const erase = consoleApi.useMutation('post', '/erasures');
  const [requested, setRequested] = useState<ErasureRequest | null>(null);
  const { form, problem } = useRequestForm<{ subject: Subject; name: string }>(
    { subject: 'email', name: '' },
    preview,
    () => 'name',
  );
  const { subject, name } = form.values;
  const close = () => {
    setRequested(null);
    erase.reset();
  };
  const look = () => {
    const body: ErasureRequest = { [subject]: name.trim() };
    preview.mutate({ body }, { onSuccess: () => setRequested(body) });
  };
  const confirm = () => {
    if (requested === null) return;
    erase.mutate(
      { body: requested },
      {
        onSuccess: () => {
          close();
          form.reset();
          void queries.invalidateQueries();
        },
      },
    );
  };
  const counts = preview.data === undefined ? [] : countsIn(preview.data);
  const isComplete = preview.data?.isComplete !== false;
  const isNothing = counts.length === 0 && isComplete;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        look();
      }}
    >
      <Group align="flex-start" gap="sm">
        <Select
          label="What to erase"
          data={SUBJECTS.map((one) => ({ ...one }))}
          allowDeselect={false}
          {...form.getInputProps('subject')}
        />
        <TextInput
          label={subject === 'email' ? 'Address' : 'Id'}
          required
          className="erase-name"
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Button type="submit" mt="1.6rem" loading={preview.isPending} disabled={name.trim() === ''}>
          See what would be erased
        </Button>
      </Group>
      <ProblemNotice error={problem} />
      <ConfirmDialog
        isOpen={requested !== null}
        close={close}
        title={subject === 'buyerSpaceId' ? 'Erase this room?' : 'Erase this person?'}
        action="Erase for ever"
        request={erase}
        isDestructive
        isBlocked={isNothing}
        confirm={confirm}
      >
        {isNothing ? (
          <Text size="sm" className="breakable">
            Nothing was found of <strong>{name.trim()}</strong>, so there is nothing to erase. What is
            captured later is not erased.
          </Text>
        ) : (
          <>
            <Text size="sm" className="breakable">
              Names, addresses and texts {subject === 'buyerSpaceId' ? 'in the room' : 'about'}{' '}
              <strong>{name.trim()}</strong> are erased in the feeds, in webhooks that wait or are kept, and
              in the copies of consumers. Numbers stay. This cannot be undone.
            </Text>
            <Text size="sm">{introduction(counts, isComplete)}</Text>
            <List size="sm" spacing={2}>
              {counts.map((text) => (
                <List.Item key={text}>{text}</List.Item>
              ))}
            </List>
          </>
        )}
      </ConfirmDialog>
    </form>
  );
}

function introduction(counts: readonly string[], isComplete: boolean): string {
  if (counts.length === 0) return 'Nothing was found so far, but there was no time to look at everything.';
  return isComplete ? 'This is touched:' : 'At least this is touched:';
}
