import { Kbd } from '@mantine/core';

/** The keyboard shortcut for the search. */
export function SearchHint() {
  return (
    <Kbd size="xs" visibleFrom="sm" aria-hidden>
      /
    </Kbd>
  );
}
