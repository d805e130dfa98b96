import { useEffect, useState } from 'react';
import { fullTime, relativeTime } from '../../text/times.ts';

const EACH_MS = 1_000;

/** A relative time that is updated while the page is open. Its title is the exact time. */
export function Ago({ at }: { at: string }) {
  const now = useNow();
  const time = new Date(at);
  return (
    <time dateTime={at} title={fullTime(time)}>
      {relativeTime(time, now)}
    </time>
  );
}

/** An exact time in the time zone of the reader. Its title is the time in UTC, as the API shows it. */
export function At({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {fullTime(new Date(at))}
    </time>
  );
}

/** Returns the current time, updated every second. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), EACH_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
