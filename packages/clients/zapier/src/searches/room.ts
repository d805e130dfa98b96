import { defineSearch } from 'zapier-platform-core';
import { ROOM_SAMPLE } from '../generated/samples.ts';
import { read } from '../requests.ts';

/** Finds a room by its id, with its metrics. */
export const room = defineSearch({
  key: 'room',
  noun: 'Room',
  display: {
    label: 'Find Room',
    description: 'Finds a buyer room by its ID, with its metrics and its score.',
  },
  operation: {
    inputFields: [{ key: 'roomId', label: 'Room ID', required: true }],
    async perform(z, bundle) {
      const path = `/decision-rooms/${encodeURIComponent(bundle.inputData.roomId)}`;
      const found = await read<{ data: { id: string } }>(z, bundle, path);
      if (found === null) return [];
      const metrics = await read<{ data: object }>(z, bundle, `${path}/metrics`);
      return [{ ...found.data, metrics: metrics?.data ?? null }];
    },
    sample: ROOM_SAMPLE,
  },
});
