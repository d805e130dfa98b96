import { defineSearch } from 'zapier-platform-core';
import { FEED_SAMPLES } from '../generated/samples.ts';
import { type Page, read } from '../requests.ts';

/** Finds rooms by their status and the time of their last change. */
export const rooms = defineSearch({
  key: 'rooms',
  noun: 'Room',
  display: {
    label: 'Find Rooms',
    description: 'Finds up to 500 buyer rooms by their status and when they changed.',
  },
  operation: {
    inputFields: [
      { key: 'status', choices: ['open', 'won', 'lost', 'dormant'] },
      { key: 'updatedSince', label: 'Updated Since', type: 'datetime' },
    ],
    async perform(z, bundle) {
      const { status, updatedSince } = bundle.inputData;
      const since = updatedSince && new Date(updatedSince).toISOString();
      const page = await read<Page>(z, bundle, '/decision-rooms', {
        status,
        updated_since: since,
        limit: 500,
      });
      return page?.data ?? [];
    },
    sample: FEED_SAMPLES['decision-rooms'],
  },
});
