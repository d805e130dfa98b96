import { Kbd } from '@mantine/core';

/** The key that leads to the search. */
export function SearchHint() {
  return (
    <Kbd size="xs" visibleFrom="sm" aria-hidden>
      /
    </Kbd>
  );
}
