import { ActionIcon, Button, type ButtonProps, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** A text to copy, such as an id or a secret, in a monospaced font. */
export function CopyText({ text, what }: { text: string; what: string }) {
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <Text ff="monospace" size="sm" className="breakable">
        {text}
      </Text>
      <CopyIcon text={text} what={what} />
    </Group>
  );
}

/** A button that copies a text. `what` completes "Copy …". */
export function CopyIcon({ text, what }: { text: string; what: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon
            variant="subtle"
            color={copied ? 'teal' : 'gray'}
            aria-label={copied ? 'Copied' : `Copy ${what}`}
            onClick={copy}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

interface CopyCommandProps extends ButtonProps {
  text: string;
  /** The label of the button until the text was copied. */
  name: string;
}

/** A button that copies a text, with a label. */
export function CopyCommand({ text, name, ...look }: CopyCommandProps) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          size="compact-sm"
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          color={copied ? 'teal.8' : 'signal'}
          {...look}
          onClick={copy}
        >
          {copied ? 'Copied' : name}
        </Button>
      )}
    </CopyButton>
  );
}
