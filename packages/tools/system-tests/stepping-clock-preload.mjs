import { readFileSync } from 'node:fs';

// Loaded into a process before anything else. Shifts its time of day by the number of milliseconds in a file.

const LOOK_MS = 20;
const TrueDate = Date;
const trueNow = Date.now;
let offsetMs = 0;

setInterval(() => {
  offsetMs = Number(readFileSync(process.env.CLOCK_OFFSET_FILE, 'utf8'));
}, LOOK_MS).unref();

const now = () => trueNow() + offsetMs;
TrueDate.now = now;
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
});
