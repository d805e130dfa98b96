import './search-field.css';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { SearchHint } from './search-hint.tsx';

type SearchBox = typeof import('./search-box.tsx').SearchBox;

/**
 * The search in the header. Until it is used, it is a plain field: the list of suggestions would be a tenth of the first
 * load. What is typed while that loads stays in the plain field, and is handed over.
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
        // Without the file, for example while offline, the field stays as it is; the next focus tries again.
        onFocus={() => void load().catch(() => {})}
      />
      <SearchHint />
    </div>
  );
}
