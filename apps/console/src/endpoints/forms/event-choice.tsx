import { Button, Checkbox, Code, Collapse, Input, Radio, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type EventDescription, useEventCatalogue } from './event-catalogue.ts';

interface EventChoiceProps {
  /** The event types that can be subscribed to. */
  types: readonly string[];
  /** The selected event types; `*` alone for all. */
  value: readonly string[];
  error: string | undefined;
  onChange: (events: string[]) => void;
}

/** Lets the user choose event types, each with its cause and an example. */
export function EventChoice({ types, value, error, onChange }: EventChoiceProps) {
  const { data: catalogue } = useEventCatalogue();
  const isAll = value.includes('*');
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Events"
        value={isAll ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? ['*'] : [])}
      >
        <Stack gap={8} mt={6}>
          <Radio
            value="all"
            label="All events"
            description="Includes event types that are added in the future. Receivers should acknowledge unknown types."
          />
          <Radio value="some" label="Only the chosen events" />
        </Stack>
      </Radio.Group>
      {!isAll && (
        <Checkbox.Group
          aria-label="Event types"
          value={[...value]}
          onChange={onChange}
          pl={{ base: 0, xs: 'xl' }}
        >
          <Stack gap="sm">
            {types
              .filter((type) => type !== '*')
              .map((type) => (
                <EventType key={type} type={type} description={catalogue?.get(type)} />
              ))}
          </Stack>
        </Checkbox.Group>
      )}
      {error !== undefined && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}

/** One event type. The example is shown on demand. */
function EventType({ type, description }: { type: string; description: EventDescription | undefined }) {
  const [isOpen, { toggle }] = useDisclosure();
  const example = description?.example ?? null;
  return (
    <div>
      <Checkbox
        value={type}
        label={
          <Text span size="sm" ff="monospace">
            {type}
          </Text>
        }
        description={description?.firesWhen}
      />
      {example !== null && (
        <>
          <Button
            variant="subtle"
            size="compact-sm"
            ml="xl"
            aria-expanded={isOpen}
            aria-label={`Example of ${type}`}
            leftSection={isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
            onClick={toggle}
          >
            Example
          </Button>
          <Collapse expanded={isOpen} ml="xl">
            {isOpen && (
              <Code
                block
                tabIndex={0}
                role="region"
                aria-label={`Body of ${type}`}
                mah={320}
                style={{ overflow: 'auto' }}
              >
                {example}
              </Code>
            )}
          </Collapse>
        </>
      )}
    </div>
  );
}
