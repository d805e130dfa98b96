import { FEEDS, type FollowedFeed } from '../feeds/feeds.ts';
import { UsageError } from './command.ts';

/**
 * Reads the value of `--feeds`.
 * @throws UsageError
 */
export function feedsIn(text: string): FollowedFeed[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !FEEDS.some((feed) => feed === name));
  if (unknown !== undefined) {
    throw new UsageError(`--feeds names ${unknown || 'nothing'}; the feeds are ${FEEDS.join(', ')}`);
  }
  return names as FollowedFeed[];
}
