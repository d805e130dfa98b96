import { ActionIcon, Button, Group, Input, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { EndpointDraft } from './endpoint-draft.ts';

const MAX_HEADERS = 10;

interface HeaderFieldsProps {
  form: UseFormReturnType<EndpointDraft>;
  /** Whether the URL has changed. The API then discards the stored values. */
  isUrlNew: boolean;
}

/** The custom headers of an endpoint. Their values are never shown again, so their fields look like password fields. */
export function HeaderFields({ form, isUrlNew }: HeaderFieldsProps) {
  const { headers } = form.values;
  const { error: refused } = form.getInputProps('headers');
  return (
    <Stack gap="xs" role="group" aria-label="Custom headers">
      <div>
        <Text size="sm" fw={500}>
          Custom headers
        </Text>
        <Text size="sm" c="dimmed">
          Sent with every request, such as a key that your gateway requires. Values are stored encrypted and
          never shown again.
        </Text>
      </div>
      {headers.map(({ key, name, isStored }, row) => (
        <Group key={key} gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            aria-label="Header name"
            placeholder="X-Api-Key"
            style={{ flex: '1 1 10rem' }}
            readOnly={isStored}
            {...form.getInputProps(`headers.${row}.name`)}
          />
          <PasswordInput
            aria-label={`Value of ${name === '' ? 'the header' : name}`}
            placeholder={valuePlaceholder(isStored, isUrlNew)}
            autoComplete="off"
            style={{ flex: '2 1 12rem' }}
            {...form.getInputProps(`headers.${row}.value`)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove ${name === '' ? 'the header' : name}`}
            onClick={() => form.removeListItem('headers', row)}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      {refused !== undefined && <Input.Error>{refused}</Input.Error>}
      {headers.length < MAX_HEADERS && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() =>
            form.insertListItem('headers', { key: randomId(), name: '', value: '', isStored: false })
          }
        >
          Add a header
        </Button>
      )}
    </Stack>
  );
}

function valuePlaceholder(isStored: boolean, isUrlNew: boolean): string {
  if (!isStored) return '';
  return isUrlNew ? 'enter it again' : 'unchanged';
}
