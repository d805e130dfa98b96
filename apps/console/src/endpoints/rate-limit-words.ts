import type { components } from '../api/generated/console.ts';
import { boundedCount, count } from '../text/numbers.ts';
import { hoursAndMinutes } from '../text/times.ts';

/**
 * Describes the deliveries that wait for the rate limit of an endpoint, such as "Limited to 1 a minute: 90 deliveries wait,
 * about 1 h 30 min."
 */
export function rateLimitedInWords(waiting: components['schemas']['RateLimitedDeliveries']): string {
  const { maxPerMinute, deliveries, deliveriesExact, secondsLeft } = waiting;
  const number = boundedCount(deliveries, deliveriesExact);
  const time = `${deliveriesExact ? 'about' : 'more than'} ${hoursAndMinutes(1_000 * secondsLeft)}`;
  return `Limited to ${count(maxPerMinute)} a minute: ${number} ${deliveries === 1 ? 'delivery waits' : 'deliveries wait'}, ${time}.`;
}
