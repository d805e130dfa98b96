import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import type { Found } from '../search/found-icon.tsx';
import { type Choice, ObjectSearch } from '../search/object-search.tsx';
import { SearchHint } from './search-hint.tsx';

/**
 * The search of every page: from a name or an id to the object, to what was sent about it, and to why something was not. It
 * takes the focus when it appears.
 *
 * @param initialText what was typed before it was there.
 */
export function SearchBox({ initialText }: { initialText: string }) {
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  useHotkeys([['/', () => input.current?.focus()]]);
  // In the same moment in which it takes the place of another field, so that no key is lost in between.
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <ObjectSearch
      label="Search"
      placeholder="Search rooms, calls, people, ids"
      isLabelHidden
      inputRef={input}
      rightSection={<SearchHint />}
      initialText={initialText}
      choicesOf={(found) => choicesOf(found, ({ page, search = {} }) => void navigate({ to: page, search }))}
    />
  );
}

/** A page about a found object. */
interface Destination {
  page: string;
  search?: Record<string, string | number>;
  /** What the page shows; left out for the page of the object itself. */
  label?: string;
}

/** Where a found object leads: its own page first. */
function choicesOf(found: Found, go: (destination: Destination) => void): Choice[] {
  return destinationsOf(found).map((destination) => ({
    key: `${found.kind} ${found.id} ${destination.page}`,
    ...(destination.label !== undefined && { label: destination.label }),
    run: () => go(destination),
  }));
}

const WHY = { page: '/why', label: 'Why did it not come?' };
const SENT = { page: '/deliveries', label: 'What was sent' };

function destinationsOf({ kind, id, roomId, callId, email }: Found): Destination[] {
  switch (kind) {
    case 'room': {
      const search = { buyer_space_id: id };
      return [{ page: `/rooms/${id}` }, { ...WHY, search }, { ...SENT, search }];
    }
    case 'call': {
      const search = { call_id: id };
      return [{ page: `/calls/${id}` }, { ...WHY, search }, { ...SENT, search }];
    }
    case 'person':
      if (email !== null) return [{ page: '/deliveries', search: { person: email } }];
      return roomId === null ? [] : [{ page: `/rooms/${roomId}` }];
    case 'share_link':
      if (callId !== null) return [{ page: `/calls/${callId}` }];
      return roomId === null ? [] : [{ page: `/rooms/${roomId}` }];
    case 'event': {
      const search = { event_id: id };
      return [
        { page: '/deliveries', search },
        { ...WHY, search },
      ];
    }
    case 'delivery':
      return [{ page: `/deliveries/${id}` }, { ...WHY, search: { delivery_id: id } }];
    default:
      return [{ page: `/endpoints/${id}` }, { ...SENT, search: { endpoint_id: Number(id) } }];
  }
}
