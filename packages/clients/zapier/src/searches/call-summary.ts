import { defineSearch } from 'zapier-platform-core';
import { FEED_SAMPLES } from '../generated/samples.ts';
import { read } from '../requests.ts';

/** Finds a call by its id, if it has a summary. */
export const callSummary = defineSearch({
  key: 'call_summary',
  noun: 'Call summary',
  display: { label: 'Find Call Summary', description: 'Finds a call by its ID, with its AI summary.' },
  operation: {
    inputFields: [{ key: 'callId', label: 'Call ID', required: true }],
    async perform(z, bundle) {
      const path = `/calls/${encodeURIComponent(bundle.inputData.callId)}`;
      const call = await read<{ data: { id: string; hasSummary: boolean } }>(z, bundle, path);
      return call?.data.hasSummary ? [call.data] : [];
    },
    sample: FEED_SAMPLES.calls,
  },
});
