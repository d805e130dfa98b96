import { Collapse, Group, List, Text, ThemeIcon, Title, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconCheck,
  IconChevronDown,
  IconChevronRight,
  IconClock,
  IconMinus,
  IconX,
} from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { MoveDialog } from '../dead-letters/move-dialog.tsx';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { EndpointLink } from '../parts/values/object-links.tsx';
import { Evidence } from './evidence.tsx';
import { Remedy } from './remedy.tsx';
import { verdictSentence, type Tone, verdictTone, type WhyEndpoint } from './sentences.ts';
import './why.css';

const SIGNS: Record<Tone, { color: string; icon: ReactNode; name: string }> = {
  good: { color: 'teal', icon: <IconCheck size={18} />, name: 'It came' },
  waiting: { color: 'blue', icon: <IconClock size={18} />, name: 'On its way' },
  bad: { color: 'red', icon: <IconX size={18} />, name: 'Not delivered' },
  plain: { color: 'gray', icon: <IconMinus size={18} />, name: 'Nothing to send' },
};

/** The answer for one endpoint: a sentence, a remedy, and the evidence. */
export function EndpointAnswer({ why, endpoint }: { why: WhyEndpoint; endpoint: Endpoint | undefined }) {
  const [first, ...more] = why.verdicts;
  const tone = first === undefined ? 'plain' : verdictTone(first);
  const [isOpen, { toggle }] = useDisclosure();
  const id = useId();
  // The dialog belongs to the answer. The button disappears as soon as no delivery is dead any more.
  const [retried, setRetried] = useState<string[]>([]);
  const [isAsking, asking] = useDisclosure();
  const retry = (deliveryIds: string[]) => {
    setRetried(deliveryIds);
    asking.open();
  };
  const { color, icon, name } = SIGNS[tone];
  return (
    <section className="panel">
      <div className="answer">
        <ThemeIcon color={color} variant="light" radius="xl" size={34} aria-label={name} role="img">
          {icon}
        </ThemeIcon>
        <div className="answer-text">
          <Title order={3} size="sm" c="dimmed" fw={500} className="breakable">
            <Group gap="xs">
              <EndpointLink id={why.endpoint.id} isWhole />
              {why.endpoint.description !== null && <span>{why.endpoint.description}</span>}
            </Group>
          </Title>
          {first !== undefined && (
            <Text fw={550} className="breakable">
              {verdictSentence(first)}
            </Text>
          )}
          {more.length > 0 && (
            <List size="sm" spacing={2} mt={4}>
              {more.map((verdict) => (
                <List.Item key={verdictSentence(verdict)} className="breakable">
                  {verdictSentence(verdict)}
                </List.Item>
              ))}
            </List>
          )}
        </div>
        {first !== undefined && (
          <div className="answer-action">
            <Remedy verdict={first} why={why} endpoint={endpoint} retry={retry} />
          </div>
        )}
      </div>
      <UnstyledButton
        mt="xs"
        className="evidence-toggle"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        <Group gap={4}>
          {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
          <Text size="sm" span>
            {evidenceName(why)}
          </Text>
        </Group>
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id} pt={isOpen ? 'xs' : 0}>
        {isOpen && <Evidence deliveries={why.deliveries} changes={why.changes} />}
      </Collapse>
      <MoveDialog
        action="retry"
        selections={[{ endpointId: why.endpoint.id, deliveryIds: retried }]}
        endpoints={endpoint === undefined ? [] : [endpoint]}
        isOpen={isAsking}
        close={asking.close}
      />
    </section>
  );
}

/** The maximum number of rows of each kind that the API returns, newest first. */
const MAX_SHOWN = 20;

function evidenceName({ deliveries, changes }: WhyEndpoint): string {
  const rows = [
    rowsNamed(deliveries.length, 'delivery', 'deliveries'),
    rowsNamed(changes.length, 'audit record', 'audit records'),
  ].filter((name) => name !== null);
  return rows.length === 0 ? 'Evidence' : `Evidence: ${rows.join(', ')}`;
}

function rowsNamed(shown: number, one: string, many: string): string | null {
  if (shown === 0) return null;
  if (shown === 1) return `1 ${one}`;
  return shown < MAX_SHOWN ? `${shown} ${many}` : `the newest ${shown} ${many}`;
}
