import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import './attention.css';
import { Panel } from '../parts/panel.tsx';
import { attentionText } from './attention-texts.tsx';
import { type Attention, attentionKey } from './overview-data.ts';

const SIGNS = {
  danger: { color: 'red.7', icon: <IconCircleX size={20} /> },
  warning: { color: 'orange.6', icon: <IconAlertTriangle size={20} /> },
  plain: { color: 'blue.6', icon: <IconInfoCircle size={20} /> },
} as const;

/** Lists what needs an admin's attention, most urgent first, each with its remedy. */
export function AttentionPanel({ items }: { items: readonly Attention[] }) {
  if (items.length === 0) {
    return (
      <section className="panel" aria-label="Needs attention">
        <Group gap="sm" wrap="nowrap">
          <Text span c="teal.6" lh={0} aria-hidden>
            <IconCircleCheck size={20} />
          </Text>
          <Text size="sm">Nothing needs your attention.</Text>
        </Group>
      </section>
    );
  }
  return (
    <Panel title="Needs attention">
      <ul className="attention">
        {items.map((item) => (
          <AttentionRow key={attentionKey(item)} item={item} />
        ))}
      </ul>
    </Panel>
  );
}

function AttentionRow({ item }: { item: Attention }) {
  const { tone, title, detail, action } = attentionText(item);
  const { color, icon } = SIGNS[tone];
  return (
    <li>
      <Text span c={color} lh={0} pt={2} aria-hidden>
        {icon}
      </Text>
      <div className="attention-text">
        <Text fw={600} size="sm" className="breakable">
          {title}
        </Text>
        <Text size="sm" c="dimmed" component="div" className="breakable">
          {detail}
        </Text>
      </div>
      <div className="attention-action">{action}</div>
    </li>
  );
}
