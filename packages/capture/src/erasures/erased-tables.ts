import { Prisma } from '@deal-signals/db/generated/client';
import type { FoundKind } from '../writers/search-names.ts';
import { type Fields, FIELDS } from './eraser.ts';

/** A table whose rows say something of people. */
export interface ErasedTable {
  name: ErasedTableName;
  table: Prisma.Sql;
  key: Prisma.Sql;
  keyType: Prisma.Sql;
  /** The column of the room; that of the rooms themselves is their key. */
  room: Prisma.Sql;
  fields: Fields;
  /** The types of the columns that are not text. */
  types?: Readonly<Record<string, string>>;
  /** Maximum rows that one statement searches, so that none takes more than seconds: fewer where texts can be large. */
  batchSize: number;
  /** Set if a row is what one person did: the ids from which on it was recorded after the erasure began. */
  activity?: 'eventEnd' | 'viewEnd';
  /** The column that places a row in its feed, if its objects are sorted by their last change. */
  sortedBy?: Prisma.Sql;
  /** Set if the row stores the text of its object. */
  text?: 'rooms' | 'calls' | 'engagement events' | 'views';
  /** Set if the console finds it by name. */
  foundBy?: FoundKind;
}

const UUID = Prisma.sql`uuid`;
const BIGINT = Prisma.sql`bigint`;
const TEXT = Prisma.sql`text`;
const ID = Prisma.sql`id`;
const OF_ENGAGEMENT = Prisma.sql`buyer_space_id`;
const UPDATED_AT = Prisma.sql`updated_at`;

/** What most tables have. */
const USUAL = { key: ID, room: Prisma.sql`room_id`, batchSize: 5_000 };

/** What is special about a table. */
type Described = Omit<ErasedTable, 'name' | 'table' | keyof typeof USUAL> &
  Partial<Pick<ErasedTable, keyof typeof USUAL>>;

const TABLES = {
  rooms: {
    keyType: UUID,
    room: ID,
    fields: FIELDS.room,
    sortedBy: Prisma.sql`last_activity_at`,
    text: 'rooms',
    foundBy: 'room',
  },
  calls: {
    batchSize: 200,
    keyType: UUID,
    fields: FIELDS.call,
    types: { participants: 'json', summary: 'json', talkTime: 'json' },
    sortedBy: UPDATED_AT,
    text: 'calls',
    foundBy: 'call',
  },
  documents: { keyType: UUID, fields: FIELDS.document, sortedBy: UPDATED_AT },
  actionItems: { keyType: UUID, fields: FIELDS.actionItem },
  messages: { batchSize: 1_000, key: Prisma.sql`key`, keyType: TEXT, fields: FIELDS.message },
  esignDocuments: { keyType: TEXT, fields: FIELDS.esign, sortedBy: UPDATED_AT },
  engagementEvents: {
    keyType: BIGINT,
    room: OF_ENGAGEMENT,
    fields: FIELDS.event,
    types: { metadata: 'json' },
    activity: 'eventEnd',
    text: 'engagement events',
  },
  engagementViews: {
    keyType: BIGINT,
    room: OF_ENGAGEMENT,
    fields: FIELDS.view,
    activity: 'viewEnd',
    text: 'views',
  },
} satisfies Record<string, Described>;

/** The name of a table, as previews and progress show it. */
export type ErasedTableName = keyof typeof TABLES;

/** The tables that are searched, in this order. */
export const ERASED_TABLES = Object.entries<Described>(TABLES).map(([name, described]): ErasedTable => ({
  ...USUAL,
  ...described,
  name: name as ErasedTableName,
  table: columnOf(name),
}));

/** Those among them whose rows are what people did. */
export const ACTIVITY_TABLES = ERASED_TABLES.filter(({ activity }) => activity !== undefined);

/** The column of a field: its name in snake case, like that of a table. */
export function columnOf(field: string): Prisma.Sql {
  return Prisma.raw(field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
