import { Button, Group, PasswordInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { looksLikeToken } from './hand-over.ts';
import { offerSession } from './offer.ts';

/** A form for a session token that the user pastes. */
export function TokenForm() {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const token = text.trim();
    if (!looksLikeToken(token)) {
      setProblem('This is not a session token. It has three parts with dots between them.');
      return;
    }
    void offerSession(token, { isConfirmed: true, isKept: true, hasAddress: false });
  };
  return (
    <form onSubmit={submit} style={{ width: '100%' }}>
      <Group align="flex-end" gap="sm">
        <PasswordInput
          label="Session token"
          autoComplete="off"
          style={{ flex: '1 1 12rem' }}
          value={text}
          error={problem}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setProblem(null);
          }}
        />
        <Button type="submit">Continue</Button>
      </Group>
    </form>
  );
}
