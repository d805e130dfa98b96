import { Checkbox, Input, Radio, Stack } from '@mantine/core';
import { type Scope, SCOPE_MEANINGS, SCOPES } from './api-key.ts';

interface ScopeChoiceProps {
  scopes: readonly Scope[];
  error: string | undefined;
  onChange: (scopes: Scope[]) => void;
}

/** A choice of what a key may read: everything, or kinds of data. */
export function ScopeChoice({ scopes, error, onChange }: ScopeChoiceProps) {
  const isAll = scopes.includes('read');
  return (
    <Stack gap="xs">
      <Radio.Group
        label="May read"
        description="No key can change anything."
        value={isAll ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? ['read'] : [])}
      >
        <Stack gap={6} mt={8}>
          <Radio value="all" label={SCOPE_MEANINGS.read} />
          <Radio value="some" label="Only the chosen kinds of data" />
        </Stack>
      </Radio.Group>
      {!isAll && (
        <Checkbox.Group
          aria-label="Kinds of data"
          pl={{ base: 0, xs: 'xl' }}
          value={[...scopes]}
          onChange={(chosen) => onChange(SCOPES.filter((scope) => chosen.includes(scope)))}
        >
          <Stack gap="xs">
            {SCOPES.filter((scope) => scope !== 'read').map((scope) => (
              <Checkbox key={scope} value={scope} label={SCOPE_MEANINGS[scope]} description={scope} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {error !== undefined && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}
