import { createHash } from 'node:crypto';
import { beginErasure, MAX_OPEN_ERASURES, mayBeginErasure } from '@deal-signals/capture/erasures/begin';
import { countPeople } from '@deal-signals/capture/erasures/people';
import { type ErasurePreview, previewErasure as preview } from '@deal-signals/capture/erasures/preview';
import {
  type ErasureRequest,
  resolveTarget,
  type ErasureTarget,
} from '@deal-signals/capture/erasures/erasure-target';
import { email } from '@deal-signals/capture/records/email';
import type { Queryable } from '@deal-signals/db/queryable';
import { erasureExample } from '@deal-signals/serializers/examples/erasure';
import { z } from 'zod';
import { type ApiError, invalidField, rateLimited } from '../http/errors.ts';
import { uuid } from '../http/input.ts';
import { adminOperation } from '../http/route.ts';
import { inManagementTransaction } from '../routes/management-transaction.ts';

const ONE_OF = 'exactly one of email, personId and buyerSpaceId must be given';

/** The maximum length of a captured address. */
const MAX_ADDRESS_CHARACTERS = 1_024;
const ADDRESS_MESSAGE = `must be an email address of at most ${MAX_ADDRESS_CHARACTERS.toLocaleString('en')} characters`;

/** The target of an erasure: exactly one of these. */
const erasureBody = z.object({
  email: email
    .refine((address) => address.length <= MAX_ADDRESS_CHARACTERS, ADDRESS_MESSAGE)
    .optional()
    .meta({
      description: 'The address of a person, in upper or lower case',
      override: { maxLength: MAX_ADDRESS_CHARACTERS },
    }),
  personId: uuid.optional().meta({
    description: 'The id of a person. A person with an address is erased in all rooms',
  }),
  buyerSpaceId: uuid.optional().meta({ description: 'The id of a room' }),
});

/** Time limit of a preview. */
const PREVIEW_MS = 8_000;
/** An erasure takes seconds to minutes, so one of ten has probably finished after this time. */
const RETRY_AFTER_SECONDS = 10;

const BODY_EXAMPLE = { email: 'giulia.tremblay@underhill-tools.example' };
const countOf = (what: string) => z.int().meta({ description: `Number of ${what}` });

/** What a preview returns. */
const erasurePreview = z
  .object({
    people: countOf('people who would be erased, one for each of their rooms'),
    distributions: countOf('share links that are addressed to them'),
    rooms: countOf('rooms whose name, slug or contact would change'),
    calls: countOf('calls whose participants or texts would change'),
    documents: countOf('documents whose title would change'),
    actionItems: countOf('items of action plans whose title would change'),
    messages: countOf('messages whose text would change'),
    esignDocuments: countOf('contracts whose subject would change'),
    engagementEvents: countOf('engagement events that would change'),
    engagementViews: countOf('views that would change'),
    auditRecords: countOf('records of the audit log whose details would change'),
    webhookEvents: countOf('stored bodies of webhooks that would change'),
    responses: countOf('deliveries with a stored response that repeats the address or a name'),
    isComplete: z.boolean().meta({
      description: 'Whether everything was counted; if not, the numbers are minimums',
    }),
  } satisfies Record<keyof ErasurePreview['rows'] | Exclude<keyof ErasurePreview, 'rows'>, z.ZodType>)
  .meta({ id: 'ErasurePreview' });

/** `POST /erasures/preview` of the console: counts what an erasure would change, without changing it. */
export const previewErasure = adminOperation({
  operationId: 'previewErasure',
  tag: 'Erasures',
  summary: 'Count what an erasure would change',
  description: `Counts what \`createErasure\` with the same body would erase, and changes nothing. The count takes at most ${PREVIEW_MS / 1_000} seconds.`,
  body: erasureBody,
  bodyExample: BODY_EXAMPLE,
  response: erasurePreview,
  example: {
    people: 1,
    distributions: 1,
    rooms: 0,
    calls: 0,
    documents: 0,
    actionItems: 0,
    messages: 1,
    esignDocuments: 0,
    engagementEvents: 1,
    engagementViews: 0,
    auditRecords: 0,
    webhookEvents: 1,
    responses: 0,
    isComplete: true,
  },
  async handler(manager, { db }) {
    const request = requestIn(manager.body);
    const { companyId, slot } = manager;
    const hold = <T>(part: () => Promise<T>) => slot.read(part);
    const target = await hold(() => requireTarget(db, companyId, request));
    const { rows, ...counts } = await preview(db, companyId, target, { budgetMs: PREVIEW_MS, hold });
    return erasurePreview.parse({ ...rows, ...counts });
  },
});

/** `POST /erasures` of the console: starts an erasure. */
export const createErasure = adminOperation({
  operationId: 'createErasure',
  tag: 'Erasures',
  summary: 'Erase a person or a room',
  description: `Erases a person in the whole workspace, or all names and quotations in a room. It cannot be undone. The people and their share links are erased immediately, or within seconds if there are many. Earlier records are searched in the background, which takes seconds to minutes. A workspace may have ${MAX_OPEN_ERASURES} erasures in progress. When everything is done, the erasure is in the feed \`GET /api/v1/erasures\` with this \`id\`, and the event \`person.erased\` or \`room.erased\` is sent. Counts and other numbers stay.`,
  body: erasureBody,
  bodyExample: BODY_EXAMPLE,
  status: 201,
  response: z.object({
    data: z.object({
      id: z.guid(),
      people: z.int().meta({ description: 'Number of people, counted once per room' }),
    }),
  }),
  example: { data: { id: erasureExample.id, people: 1 } },
  async handler(manager, { db }) {
    const request = requestIn(manager.body);
    return inManagementTransaction(db, manager, async (feed) => {
      const { tx, companyId } = feed;
      const target = await requireTarget(tx, companyId, request);
      if (!(await mayBeginErasure(feed))) throw tooManyErasures();
      const people = await countPeople(tx, companyId, target);
      const id = await beginErasure(feed, target);
      const { kind, roomId } = target;
      return {
        result: { data: { id, people } },
        audit: {
          action: 'erasure.requested',
          objectType: 'erasure',
          objectId: id,
          details: {
            kind,
            people,
            buyerSpaceId: roomId,
            emailSha256:
              target.email === null ? null : createHash('sha256').update(target.email).digest('hex'),
          },
        },
      };
    });
  },
});

function requestIn({ email: address, personId, buyerSpaceId }: z.output<typeof erasureBody>): ErasureRequest {
  const given = [address, personId, buyerSpaceId].filter((value) => value !== undefined);
  if (given.length !== 1) throw invalidField('email', ONE_OF);
  if (buyerSpaceId !== undefined) return { record: 'eraseRoom', roomId: buyerSpaceId };
  return { record: 'erasePerson', email: address, personId };
}

async function requireTarget(
  db: Queryable,
  companyId: number,
  request: ErasureRequest,
): Promise<ErasureTarget> {
  const target = await resolveTarget(db, companyId, request);
  if (!('message' in target)) return target;
  throw invalidField(target.field === 'roomId' ? 'buyerSpaceId' : target.field, target.message);
}

function tooManyErasures(): ApiError {
  return rateLimited(
    `this workspace has ${MAX_OPEN_ERASURES} erasures in progress; try again when one of them is done`,
    RETRY_AFTER_SECONDS,
  );
}
