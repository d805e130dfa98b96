import { Group, Text } from '@mantine/core';
import {
  IconActivity,
  IconChecklist,
  IconDoor,
  IconDownload,
  IconFileText,
  IconMessage,
  IconPlayerPlay,
  IconShare,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { components } from '../api/generated/console.ts';
import { CallLink, RoomLink } from '../parts/values/object-links.tsx';
import { Ago } from '../parts/values/time.tsx';
import './event-stream.css';
import { eventDetail, describeAction } from './event-words.ts';

type Event = components['schemas']['EngagementEvent'];

const ICONS: Record<string, ReactNode> = {
  room_visit: <IconDoor size={18} />,
  trailer_view: <IconPlayerPlay size={18} />,
  trailer_complete: <IconPlayerPlay size={18} />,
  doc_open: <IconFileText size={18} />,
  doc_download: <IconDownload size={18} />,
  comment: <IconMessage size={18} />,
  message: <IconMessage size={18} />,
  forward: <IconShare size={18} />,
  map_checkoff: <IconChecklist size={18} />,
};

interface EventStreamProps {
  /** Newest first. */
  events: readonly Event[];
  /** Hides the room, for the page of a room. */
  isInRoom?: boolean;
}

/** Lists the actions of prospects. New events slide in while the list is open. */
export function EventStream({ events, isInRoom = false }: EventStreamProps) {
  const [newestAtFirst] = useState(() => BigInt(events[0]?.id ?? 0));
  return (
    <ol className="event-stream" aria-label="Engagement events, newest first">
      {events.map((event) => (
        <li key={event.id} className={BigInt(event.id) > newestAtFirst ? 'arrived' : undefined}>
          <EventLine event={event} isInRoom={isInRoom} />
        </li>
      ))}
    </ol>
  );
}

function EventLine({ event, isInRoom }: { event: Event; isInRoom: boolean }) {
  const { actor, type, metadata, demoId, docId, buyerSpaceId, occurredAt } = event;
  const detail = eventDetail(metadata);
  const isOfRecording = demoId !== null && docId === null && type.startsWith('trailer_');
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Text c="dimmed" lh={0} pt={2} aria-hidden>
        {ICONS[type] ?? <IconActivity size={18} />}
      </Text>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" component="div" className="breakable event-sentence">
          <Text span size="sm" fw={600} title={actor.email ?? undefined}>
            {actor.name ?? actor.email ?? 'Unknown person'}
          </Text>{' '}
          {describeAction(type)}
          {isOfRecording && (
            <>
              {' '}
              <CallLink id={demoId} />
            </>
          )}
        </Text>
        {detail !== null && (
          <Text size="sm" c="dimmed" className="breakable" lineClamp={2}>
            {detail}
          </Text>
        )}
        <Group gap="sm" fz="xs">
          {!isInRoom && <RoomLink id={buyerSpaceId} />}
          <Text size="xs" c="dimmed" component="span">
            <Ago at={occurredAt} />
          </Text>
        </Group>
      </div>
    </Group>
  );
}
