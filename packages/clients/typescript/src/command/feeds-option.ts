import { FEEDS, type FollowedFeed } from '../feeds/feeds.ts';
import { UsageError } from './command.ts';

/**
 * Parses the value of `--feeds`.
 * @throws UsageError
 */
export function parseFeeds(text: string): FollowedFeed[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !FEEDS.some((feed) => feed === name));
  if (unknown !== undefined) {
    throw new UsageError(
      `--feeds has the unknown feed ${unknown || '(empty)'}; the feeds are ${FEEDS.join(', ')}`,
    );
  }
  return names as FollowedFeed[];
}
