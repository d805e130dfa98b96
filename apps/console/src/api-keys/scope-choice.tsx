import { Checkbox, Input, Radio, Stack } from '@mantine/core';
import { KINDS, type Scope, SCOPE_MEANINGS } from './api-key.ts';

interface ScopeChoiceProps {
  scopes: readonly Scope[];
  error: string | undefined;
  onChange: (scopes: Scope[]) => void;
}

/** Lets the user choose scopes: everything or some kinds of data, and the registration of webhook endpoints. */
export function ScopeChoice({ scopes, error, onChange }: ScopeChoiceProps) {
  const isAll = scopes.includes('read');
  const reads = scopes.filter((scope) => scope !== 'webhooks');
  const more = scopes.filter((scope) => scope === 'webhooks');
  return (
    <Stack gap="xs">
      <Radio.Group
        label="May read"
        value={isAll ? 'all' : 'some'}
        onChange={(choice) => onChange([...(choice === 'all' ? (['read'] as const) : []), ...more])}
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
          value={[...reads]}
          onChange={(chosen) =>
            onChange([...KINDS.filter((scope) => chosen.some((one) => one === scope)), ...more])
          }
        >
          <Stack gap="xs">
            {KINDS.map((scope) => (
              <Checkbox key={scope} value={scope} label={SCOPE_MEANINGS[scope]} description={scope} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <Input.Wrapper label="May do" labelElement="div">
        <Checkbox
          mt={8}
          checked={more.length > 0}
          label={SCOPE_MEANINGS.webhooks}
          description="For automations such as n8n and Zapier. Without it, the key cannot change anything."
          onChange={({ currentTarget }) =>
            onChange([...reads, ...(currentTarget.checked ? (['webhooks'] as const) : [])])
          }
        />
      </Input.Wrapper>
      {error !== undefined && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}
