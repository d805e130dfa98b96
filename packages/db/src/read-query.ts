import { type FieldDef, Query, types as driverTypes } from 'pg';

type Parse = (text: string) => unknown;

const { INT8, TIMESTAMPTZ, DATE } = driverTypes.builtins;
/** Its declared parameter only knows the ids of PostgreSQL's own types. */
const parserOf = driverTypes.getTypeParser as (type: number) => Parse;

/** The columns of the prepared statements of one pool, by the name of the statement. */
export type KnownColumns = Map<string, readonly Column[]>;

/** Values that the driver would read otherwise than Prisma does. Every session is in UTC, so every text ends with `+00`. */
const PARSERS = new Map<number, Parse>([
  [INT8, BigInt],
  [TIMESTAMPTZ, (text) => new Date(`${text.slice(0, -3).replace(' ', 'T')}Z`)],
  [DATE, (text) => new Date(`${text}T00:00:00Z`)],
]);

interface Column {
  name: string;
  type: number;
  parse: Parse;
}

/**
 * A query of the driver that collects its rows itself. The driver's own would copy its settings with their descriptors, look up
 * the parsers again for each execution, and make every row a dictionary: more work than the rest of a small read.
 */
export class ReadQuery extends Query {
  /** The name of the prepared statement; empty for none. */
  readonly name: string;
  /** The rows, once the query has ended. */
  readonly rowsRead: unknown[] = [];
  /** Why a row could not be parsed. */
  failure: unknown;
  readonly #known: KnownColumns;
  #columns: readonly Column[] = [];

  /** @param known the columns of prepared statements, by name; it is added to. */
  constructor(name: string, text: string, values: unknown[], known: KnownColumns) {
    super(text, values);
    this.name = name;
    this.#known = known;
  }

  /** The driver calls it before the first row. */
  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const known = this.#known.get(this.name);
    this.#columns = known !== undefined && isOf(fields, known) ? known : fields.map(columnOf);
    if (this.name !== '') this.#known.set(this.name, this.#columns);
  }

  /** The driver calls it with each row. An exception would end the process. */
  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      const row: Record<string, unknown> = {};
      for (const [index, { name, parse }] of this.#columns.entries()) {
        const text = fields[index]!;
        row[name] = text === null ? null : parse(text);
      }
      this.rowsRead.push(row);
    } catch (error) {
      this.failure = error;
    }
  }
}

function columnOf({ name, dataTypeID: type }: FieldDef): Column {
  return { name, type, parse: PARSERS.get(type) ?? parserOf(type) };
}

function isOf(fields: readonly FieldDef[], columns: readonly Column[]): boolean {
  return (
    fields.length === columns.length &&
    columns.every(
      ({ name, type }, index) => fields[index]!.name === name && fields[index]!.dataTypeID === type,
    )
  );
}
