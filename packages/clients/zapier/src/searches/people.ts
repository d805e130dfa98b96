import { defineSearch } from 'zapier-platform-core';
import { PERSON_SAMPLE } from '../generated/samples.ts';
import { type Page, read } from '../requests.ts';

/** Finds the people of a room. */
export const people = defineSearch({
  key: 'people',
  noun: 'Person',
  display: { label: 'Find People of Room', description: 'Finds up to 500 people of a buyer room.' },
  operation: {
    inputFields: [{ key: 'roomId', label: 'Room ID', required: true }],
    async perform(z, bundle) {
      const page = await read<Page>(z, bundle, '/people', {
        buyer_space_id: bundle.inputData.roomId,
        limit: 500,
      });
      return page?.data ?? [];
    },
    sample: PERSON_SAMPLE,
  },
});
