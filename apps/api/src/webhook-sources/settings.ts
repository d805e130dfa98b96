import { commaSeparated, setting } from '@deal-signals/runtime/settings';
import { z } from 'zod';
import { isNetwork } from '../auth/networks.ts';

const networks = commaSeparated.refine(
  (list) => list.length > 0 && list.every(isNetwork),
  'must be IP addresses or networks, separated by commas',
);
const NETWORKS_FORM = 'IP addresses and networks such as `192.0.2.0/24`, separated by commas';

/** The settings that say where deliveries come from. */
export const webhookSourceVariables = {
  WEBHOOK_SOURCE_ADDRESSES: setting(networks, {
    about:
      'the addresses that deliveries come from, as receivers see them: published at `GET /api/v1/webhook-sources`',
    form: NETWORKS_FORM,
  }),
  WEBHOOK_PLANNED_SOURCE_ADDRESSES: setting(networks, {
    about:
      'all addresses that deliveries will come from after a planned change; published beside the present ones',
    form: NETWORKS_FORM,
  }),
  WEBHOOK_PLANNED_SOURCE_FROM: setting(z.iso.date('must be a date such as 2027-01-31'), {
    about: 'the first day on which deliveries may come from the planned addresses',
    form: 'a date such as `2027-01-31`',
  }),
};

/** The addresses that deliveries come from, as the API shows them. */
export const webhookSources = z
  .object({
    addresses: z.array(z.string()).nullable().meta({
      description:
        'The IP addresses and networks that deliveries and test events come from; null if the operator does not publish them',
    }),
    plannedAddresses: z.array(z.string()).nullable().meta({
      description: 'All addresses from `plannedFrom` on; null if no change is planned',
    }),
    plannedFrom: z.iso.date().nullable().meta({
      description: 'The first day on which deliveries may come from `plannedAddresses`',
    }),
  })
  .meta({ id: 'WebhookSources' });

/** The addresses that deliveries come from, now and after a planned change. */
export type WebhookSources = z.infer<typeof webhookSources>;

/**
 * Reads the addresses from the environment.
 *
 * @param onInvalid reports a variable that is wrong or missing.
 */
export function readWebhookSources(
  environment: {
    WEBHOOK_SOURCE_ADDRESSES?: string[] | undefined;
    WEBHOOK_PLANNED_SOURCE_ADDRESSES?: string[] | undefined;
    WEBHOOK_PLANNED_SOURCE_FROM?: string | undefined;
  },
  onInvalid: (name: keyof typeof webhookSourceVariables, message: string) => void,
): WebhookSources {
  const addresses = environment.WEBHOOK_SOURCE_ADDRESSES ?? null;
  const plannedAddresses = environment.WEBHOOK_PLANNED_SOURCE_ADDRESSES ?? null;
  const plannedFrom = environment.WEBHOOK_PLANNED_SOURCE_FROM ?? null;
  if (plannedAddresses !== null && plannedFrom === null)
    onInvalid('WEBHOOK_PLANNED_SOURCE_FROM', 'is required with WEBHOOK_PLANNED_SOURCE_ADDRESSES');
  if (plannedAddresses === null && plannedFrom !== null)
    onInvalid('WEBHOOK_PLANNED_SOURCE_ADDRESSES', 'is required with WEBHOOK_PLANNED_SOURCE_FROM');
  return { addresses, plannedAddresses, plannedFrom };
}
