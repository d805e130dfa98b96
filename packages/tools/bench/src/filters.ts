import { matchesFilter } from '@deal-signals/outbox/filter/filter';
import { callExample } from '@deal-signals/serializers/examples/call';
import { engagementEventExample } from '@deal-signals/serializers/examples/engagement-event';

// Measures the cost of endpoint filters: `node --conditions=source --import tsx packages/tools/bench/src/filters.ts`. It
// reports CPU time, which other programs on the machine hardly affect.

const ROUNDS = 300_000;

const { type } = engagementEventExample;
const CASES = {
  'one condition': [{ type: { $eq: 'doc_open' } }, engagementEventExample],
  'four conditions, all true': [
    {
      type: { $in: ['x', type] },
      actor: { email: { $neq: null } },
      owner: { email: { $exist: true } },
      id: { $gt: '' },
    },
    engagementEventExample,
  ],
  'the participants of a call': [{ participants: { email: { $startsWith: 'x' } } }, callExample],
  '32 conditions, all false': [
    { $or: Array.from({ length: 32 }, (_, n) => ({ actor: { email: { $eq: `${n}@globex.example` } } })) },
    engagementEventExample,
  ],
} as const;

for (const [name, [filter, object]] of Object.entries(CASES)) {
  const text = JSON.stringify(object);
  const data: unknown = JSON.parse(text);
  report(`${name}: evaluation`, () => matchesFilter(filter, data));
  report(`${name}: parsing ${text.length} bytes, once for an event`, () => JSON.parse(text) !== null);
}

function report(name: string, work: () => boolean): void {
  let sum = 0;
  const run = () => {
    for (let round = 0; round < ROUNDS; round += 1) sum += Number(work());
  };
  run();
  const began = process.cpuUsage();
  run();
  const { user } = process.cpuUsage(began);
  console.log(`${(user / ROUNDS).toFixed(2)} µs  ${name}${sum === 0 ? ' (false)' : ''}`);
}
