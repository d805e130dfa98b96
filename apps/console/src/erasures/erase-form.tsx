import { Button, Group, List, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { consoleApi } from '../api/clients.ts';
import { queries } from '../api/queries.ts';
import { useRequestForm } from '../api/request-form.ts';
import { ConfirmDialog } from '../parts/forms/confirm-dialog.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { describeCounts, type ErasureRequest, type Subject, SUBJECTS } from './erasure.ts';

/** Asks for a person or a room, previews the erasure, and erases after confirmation. */
export function EraseForm() {
  const preview = consoleApi.useMutation('post', '/erasures/preview');
  const erase = consoleApi.useMutation('post', '/erasures');
  const [pendingRequest, setPendingRequest] = useState<ErasureRequest | null>(null);
  const { form, problem } = useRequestForm<{ subject: Subject; name: string }>(
    { subject: 'email', name: '' },
    preview,
    () => 'name',
  );
  const { subject, name } = form.values;
  const close = () => {
    setPendingRequest(null);
    erase.reset();
  };
  const look = () => {
    const body: ErasureRequest = { [subject]: name.trim() };
    preview.mutate({ body }, { onSuccess: () => setPendingRequest(body) });
  };
  const confirm = () => {
    if (pendingRequest === null) return;
    erase.mutate(
      { body: pendingRequest },
      {
        onSuccess: () => {
          close();
          form.reset();
          void queries.invalidateQueries();
        },
      },
    );
  };
  const counts = preview.data === undefined ? [] : describeCounts(preview.data);
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
          label="Erase"
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
          Preview the erasure
        </Button>
      </Group>
      <ProblemNotice error={problem} />
      <ConfirmDialog
        isOpen={pendingRequest !== null}
        close={close}
        title={subject === 'buyerSpaceId' ? 'Erase this room?' : 'Erase this person?'}
        action="Erase permanently"
        request={erase}
        isDestructive
        isBlocked={isNothing}
        confirm={confirm}
      >
        {isNothing ? (
          <Text size="sm" className="breakable">
            No data of <strong>{name.trim()}</strong> was found, so there is nothing to erase. Data that is
            captured later is not erased.
          </Text>
        ) : (
          <>
            <Text size="sm" className="breakable">
              Names, addresses and texts {subject === 'buyerSpaceId' ? 'in the room' : 'about'}{' '}
              <strong>{name.trim()}</strong> are erased in the feeds, in waiting and stored webhooks, and in
              the copies of consumers. Numbers stay. This cannot be undone.
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
  if (counts.length === 0)
    return 'Nothing has been found so far, but the search did not have time to finish.';
  return isComplete ? 'This is affected:' : 'At least this is affected:';
}
