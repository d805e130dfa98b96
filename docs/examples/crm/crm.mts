import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { followFeed } from 'deal-signals/feeds/follow-feed';
import { cursorFile } from 'deal-signals/stores/cursor-file';
import { cursorStore } from 'deal-signals/stores/cursor-store';

/**
 * Copies rooms to deals and people to contacts, and connects them, in a CRM with the API of HubSpot. Run it on a schedule. Every
 * write is an upsert by a unique property, so a page that is written twice changes nothing, and the program can be killed at any
 * moment: the cursor of a feed is stored after its page. Whoever is erased is deleted there as well.
 */
const CRM_URL = process.env['CRM_URL'] ?? 'https://api.hubapi.com';
const CRM_TOKEN = process.env['CRM_TOKEN'] ?? '';
/** The deal's property that holds the id of its room. HubSpot refuses a second deal with the same value. */
const ROOM_ID = 'deal_signals_room_id';
/** The contact's property that holds the SHA-256 of its address, by which erasures name a person. */
const ADDRESS_HASH = 'deal_signals_address_sha256';
/** The stages of HubSpot's default pipeline. A room that went dormant is still open. */
const STAGES = {
  open: 'appointmentscheduled',
  dormant: 'appointmentscheduled',
  won: 'closedwon',
  lost: 'closedlost',
};
/** As many records as HubSpot takes in one request. */
const PAGE = 100;
const ATTEMPTS = 6;

type Properties = Record<string, string>;
type Upserted = { results: { id: string; properties: Properties }[] };

/** Calls the CRM, and again later while it is busy or away. */
async function crm<Result>(path: string, body: object, accepted: number[] = []): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${CRM_URL}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CRM_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    }).catch((error: unknown) => (attempt < ATTEMPTS ? null : Promise.reject(error)));
    // 207 says that some records of a batch were refused.
    const isDone = response?.ok === true && response.status !== 207;
    if (isDone || accepted.includes(response?.status ?? 0)) {
      return (response?.status === 204 ? undefined : await response?.json()) as Result;
    }
    const isPassing = response === null || response.status === 429 || response.status >= 500;
    if (!isPassing || attempt === ATTEMPTS) {
      throw new Error(`${path}: ${response?.status} ${await response?.text()}`);
    }
    await sleep(2 ** attempt * 250);
  }
}

/** Creates or changes records by a unique property. Returns the id of each in the CRM by the value of that property. */
async function upsert(type: string, key: string, records: Map<string, Properties>) {
  const inputs = [...records].map(([id, properties]) => ({ idProperty: key, id, properties }));
  const { results } = await crm<Upserted>(`/crm/v3/objects/${type}/batch/upsert`, { inputs });
  return new Map(results.map(({ id, properties }) => [properties[key] ?? '', id]));
}

/** Makes the properties that we look for. 409 says that one is there already. */
for (const [type, name, label, groupName] of [
  ['deals', ROOM_ID, 'Deal Signals room', 'dealinformation'],
  ['contacts', ADDRESS_HASH, 'Deal Signals address', 'contactinformation'],
]) {
  const text = { type: 'string', fieldType: 'text', hasUniqueValue: true };
  await crm(`/crm/v3/properties/${type}`, { name, label, groupName, ...text }, [409]);
}

const store = cursorStore(cursorFile('crm-cursors.json'));
const options = { store, stopAtEnd: true, limit: PAGE, giveUpAfterMs: 300_000 };

await followFeed('decision-rooms', {
  ...options,
  async onPage({ data }) {
    const deals = data.map((room): [string, Properties] => [
      room.id,
      {
        [ROOM_ID]: room.id,
        dealname: room.name,
        dealstage: STAGES[room.status],
        // HubSpot clears a property that is empty.
        amount: room.dealValueCents === null ? '' : String(room.dealValueCents / 100),
        closedate: room.expectedCloseDate ?? '',
      },
    ]);
    await upsert('deals', ROOM_ID, new Map(deals));
  },
});

// Before people: whoever comes again with the same address is somebody new. A room that was erased comes with another name above.
await followFeed('erasures', {
  ...options,
  async onPage({ data }) {
    for (const { emailSha256: value } of data) {
      if (value === null) continue;
      const filters = [{ propertyName: ADDRESS_HASH, operator: 'EQ', value }];
      const found = await crm<Upserted>('/crm/v3/objects/contacts/search', { filterGroups: [{ filters }] });
      for (const { id } of found.results) await crm('/crm/v3/objects/contacts/gdpr-delete', { objectId: id });
    }
  },
});

await followFeed('people', {
  ...options,
  async onPage({ data }) {
    // HubSpot knows contacts by their address. Who has none comes again when they get one.
    const people = data.flatMap(({ email, ...rest }) =>
      email && !rest.removedAt ? [{ email, ...rest }] : [],
    );
    if (people.length === 0) return;
    const contacts = people.map(({ email, name, title }): [string, Properties] => [
      email,
      {
        email,
        [ADDRESS_HASH]: createHash('sha256').update(email).digest('hex'),
        ...(name && { firstname: name }),
        ...(title && { jobtitle: title }),
      },
    ]);
    const contactIds = await upsert('contacts', 'email', new Map(contacts));
    // A person can come before their room, whose deal is then filled in later.
    const rooms = people.map(({ buyerSpaceId: id }): [string, Properties] => [id, { [ROOM_ID]: id }]);
    const dealIds = await upsert('deals', ROOM_ID, new Map(rooms));
    const inputs = people.flatMap(({ email, buyerSpaceId }) => {
      const [contact, deal] = [contactIds.get(email), dealIds.get(buyerSpaceId)];
      if (contact !== undefined && deal !== undefined) return [{ from: { id: contact }, to: { id: deal } }];
      console.warn(`${email} is the second address of a contact, which is not connected`);
      return [];
    });
    if (inputs.length > 0)
      await crm('/crm/v4/associations/contacts/deals/batch/associate/default', { inputs });
  },
});
