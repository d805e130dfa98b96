import { Combobox, Group, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, type Ref, useState } from 'react';
import { consoleApi } from '../api/clients.ts';
import { ApiFailure } from '../api/failures.ts';
import { type Found, FoundIcon, KIND_NAMES } from './found-icon.tsx';

/** An action for a found object. */
export interface Choice {
  key: string;
  /** The label of the action; missing for the first choice of an object, which shows the object itself. */
  label?: string;
  run: () => void;
}

interface ObjectSearchProps {
  /** The label of the field. */
  label: string;
  placeholder: string;
  /** Returns the choices for an object, most likely first; empty if the object does not fit. */
  getChoices: (found: Found) => readonly Choice[];
  isLabelHidden?: boolean;
  rightSection?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
  /** The initial text of the field. */
  initialText?: string;
}

const MAX_SUGGESTIONS = 6;
const TYPING_MS = 150;

/** A field that suggests rooms, calls, people, and the object with the typed id. */
export function ObjectSearch(props: ObjectSearchProps) {
  const [text, setText] = useState(props.initialText ?? '');
  const [query] = useDebouncedValue(text.trim(), TYPING_MS);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { data, error, isFetching } = consoleApi.useQuery(
    'get',
    '/search',
    { params: { query: { q: query, limit: MAX_SUGGESTIONS } } },
    { enabled: query !== '', placeholderData: keepPreviousData },
  );
  const groups = (query === '' ? [] : (data?.data ?? []))
    .map((found) => ({ found, choices: props.getChoices(found) }))
    .filter(({ choices }) => choices.length > 0)
    // Further choices are offered once, below the best match. Below each match, they would push most matches out of view.
    .map(({ found, choices }, place) => ({ found, choices: place === 0 ? choices : choices.slice(0, 1) }));
  const choose = (key: string) => {
    setText('');
    combobox.closeDropdown();
    groups
      .flatMap(({ choices }) => choices)
      .find((choice) => choice.key === key)
      ?.run();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} shadow="md" position="bottom-start" withinPortal>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          ref={props.inputRef}
          role="combobox"
          label={props.isLabelHidden === true ? undefined : props.label}
          aria-label={props.label}
          placeholder={props.placeholder}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={isFetching && query !== '' ? <Loader size={14} aria-hidden /> : props.rightSection}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            combobox.openDropdown();
            combobox.updateSelectedOptionIndex();
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape' && !combobox.dropdownOpened) currentTarget.blur();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={query === '' || text.trim() === ''}>
        <Combobox.Options mah={420} style={{ overflowY: 'auto' }} aria-label="Suggestions">
          {groups.map(({ found, choices }) => (
            <Suggestion key={`${found.kind} ${found.id}`} found={found} choices={choices} />
          ))}
          {groups.length === 0 && (
            <Combobox.Empty>
              {isFetching || (data === undefined && error === null) ? 'Searching …' : emptyText(error)}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function emptyText(error: unknown): string {
  // The API rejects a text that cannot be a name, because it is too long or has characters that are never stored.
  const isRefused = error instanceof ApiFailure && error.status === 400;
  return error === null || isRefused
    ? 'No matches. Words match by their beginnings.'
    : 'The search failed. Type again to repeat it.';
}

/** An object with its further choices below it. */
function Suggestion({ found, choices }: { found: Found; choices: readonly Choice[] }) {
  return choices.map(({ key, label }) =>
    label === undefined ? (
      <Combobox.Option key={key} value={key}>
        <Group gap="sm" wrap="nowrap">
          <FoundIcon kind={found.kind} />
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={550} truncate>
              {found.title}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {KIND_NAMES[found.kind]}
              {found.subtitle !== null && ` · ${found.subtitle}`}
            </Text>
          </div>
        </Group>
      </Combobox.Option>
    ) : (
      <Combobox.Option key={key} value={key} aria-label={`${label}: ${found.title}`} pl={38} py={5}>
        <Text size="sm">{label}</Text>
      </Combobox.Option>
    ),
  );
}
