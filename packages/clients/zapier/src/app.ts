import { createRequire } from 'node:module';
import { defineApp, version as platformVersion } from 'zapier-platform-core';
import { authentication } from './authentication.ts';
import { addKey, explainRefusals } from './requests.ts';
import { callSummary } from './searches/call-summary.ts';
import { people } from './searches/people.ts';
import { room } from './searches/room.ts';
import { rooms } from './searches/rooms.ts';
import { eventTriggers } from './triggers/event-triggers.ts';
import { feedTriggers } from './triggers/feed-triggers.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/** The triggers and searches of the app. */
export default defineApp({
  version,
  platformVersion,
  authentication,
  beforeRequest: [addKey],
  afterResponse: [explainRefusals],
  triggers: { ...eventTriggers, ...feedTriggers },
  searches: {
    [room.key]: room,
    [rooms.key]: rooms,
    [people.key]: people,
    [callSummary.key]: callSummary,
  },
});
