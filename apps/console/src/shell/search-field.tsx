import './search-field.css';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { SearchHint } from './search-hint.tsx';

type SearchBox = typeof import('./search-box.tsx').SearchBox;

/**
 * The search in the header. It is a plain field until it is used, because the list of suggestions would be a tenth of the
 * initial load. Text that is typed during loading stays in the plain field, and is then handed over.
 */
export function SearchField() {
  const [Loaded, setLoaded] = useState<SearchBox | null>(null);
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => input.current?.focus()]]);
  const load = async () => {
    const { SearchBox } = await import('./search-box.tsx');
    setLoaded(() => SearchBox);
  };
  if (Loaded !== null) return <Loaded initialText={text} />;
  return (
    <div className="search-field">
      <IconSearch size={16} aria-hidden />
      <input
        ref={input}
        role="combobox"
        aria-expanded={false}
        aria-label="Search"
        placeholder="Search rooms, calls, people, ids"
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        // If loading fails, for example while offline, the plain field stays. The next focus tries again.
        onFocus={() => void load().catch(() => {})}
      />
      <SearchHint />
    </div>
  );
}
