import { ActionIcon, Button, Group, Input, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';

/** A custom header in a form. */
export interface HeaderField {
  /** Tells the rows of the form apart. */
  key: number;
  name: string;
  value: string;
  /** Whether the API has a value already, which is kept while the field is empty and the URL the same. */
  isStored: boolean;
}

const MOST_HEADERS = 10;

interface HeaderFieldsProps {
  headers: readonly HeaderField[];
  /** Whether the URL is another one: the API then keeps no value. */
  isUrlNew: boolean;
  error: string | undefined;
  onChange: (headers: HeaderField[]) => void;
}

/** The custom headers of an endpoint. Their values are never shown again, so they are typed as passwords are. */
export function HeaderFields({ headers, isUrlNew, error, onChange }: HeaderFieldsProps) {
  const nextKey = Math.max(0, ...headers.map(({ key }) => key)) + 1;
  const change = (key: number, part: Partial<HeaderField>) =>
    onChange(headers.map((header) => (header.key === key ? { ...header, ...part } : header)));
  return (
    <Stack gap="xs" role="group" aria-label="Custom headers">
      <div>
        <Text size="sm" fw={500}>
          Custom headers
        </Text>
        <Text size="sm" c="dimmed">
          Sent with every request, such as a key that your gateway asks for. Values are stored encrypted and
          never shown again.
        </Text>
      </div>
      {headers.map(({ key, name, value, isStored }) => (
        <Group key={key} gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            aria-label="Name of the header"
            placeholder="X-Api-Key"
            style={{ flex: '1 1 10rem' }}
            readOnly={isStored}
            value={name}
            onChange={({ currentTarget }) => change(key, { name: currentTarget.value })}
          />
          <PasswordInput
            aria-label={`Value of ${name === '' ? 'the header' : name}`}
            placeholder={placeholderOf(isStored, isUrlNew)}
            autoComplete="off"
            style={{ flex: '2 1 12rem' }}
            value={value}
            onChange={({ currentTarget }) => change(key, { value: currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove ${name === '' ? 'the header' : name}`}
            onClick={() => onChange(headers.filter((header) => header.key !== key))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      {error !== undefined && <Input.Error>{error}</Input.Error>}
      {headers.length < MOST_HEADERS && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange([...headers, { key: nextKey, name: '', value: '', isStored: false }])}
        >
          Add a header
        </Button>
      )}
    </Stack>
  );
}

function placeholderOf(isStored: boolean, isUrlNew: boolean): string {
  if (!isStored) return '';
  return isUrlNew ? 'give it again' : 'unchanged';
}

/** The headers of a form as an object of the API, without rows that are empty. */
export function headersOf(headers: readonly HeaderField[]): Record<string, string> {
  return Object.fromEntries(
    headers
      .filter(({ name, value }) => name.trim() !== '' || value !== '')
      .map(({ name, value }) => [name.trim(), value]),
  );
}
