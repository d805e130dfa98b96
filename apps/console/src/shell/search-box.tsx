import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import type { Found } from '../search/found-icon.tsx';
import { type Choice, ObjectSearch } from '../search/object-search.tsx';
import { SearchHint } from './search-hint.tsx';

/**
 * The search of every page. It leads from a name or an id to the object, to its deliveries, and to the reasons for missing
 * ones. It takes the focus when it appears.
 *
 * @param initialText the text that was typed before it was loaded.
 */
export function SearchBox({ initialText }: { initialText: string }) {
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  useHotkeys([['/', () => input.current?.focus()]]);
  // Takes the focus before the next paint, when it replaces the plain field, so that no keystroke is lost.
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <ObjectSearch
      label="Search"
      placeholder="Search rooms, calls, people, ids"
      isLabelHidden
      inputRef={input}
      rightSection={<SearchHint />}
      initialText={initialText}
      getChoices={(found) => toChoices(found, ({ page, search = {} }) => void navigate({ to: page, search }))}
    />
  );
}

/** A page about a found object. */
interface Destination {
  page: string;
  search?: Record<string, string | number>;
  /** The label of the page; missing for the page of the object itself. */
  label?: string;
}

/** Returns the pages for a found object, its own page first. */
function toChoices(found: Found, go: (destination: Destination) => void): Choice[] {
  return listDestinations(found).map((destination) => ({
    key: `${found.kind} ${found.id} ${destination.page}`,
    ...(destination.label !== undefined && { label: destination.label }),
    run: () => go(destination),
  }));
}

const WHY = { page: '/why', label: "Why didn't it arrive?" };
const SENT = { page: '/deliveries', label: 'What was sent' };

function listDestinations({ kind, id, roomId, callId, email }: Found): Destination[] {
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
