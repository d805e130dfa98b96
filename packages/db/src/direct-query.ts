import { type FieldDef, Query, types as driverTypes } from 'pg';

type Parse = (text: string) => unknown;

const { INT8, TIMESTAMPTZ, DATE } = driverTypes.builtins;
/** Its declared parameter only knows the ids of PostgreSQL's own types. */
const parserOf = driverTypes.getTypeParser as (type: number) => Parse;

/** The shapes of the prepared statements of one pool, by the name of the statement. */
export type KnownShapes = Map<string, Shape>;

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

/** What the rows of a statement are made of. */
interface Shape {
  columns: readonly Column[];
  /** A row without values. Copies of it share its hidden class, which objects that grow column by column find more slowly. */
  empty: Record<string, unknown>;
}

const NO_COLUMNS: Shape = { columns: [], empty: {} };

/**
 * A query of the driver that collects its rows itself. The driver's own would copy its settings with their descriptors, look up
 * the parsers again for each execution, and make every row a dictionary, which a profile of small reads shows.
 */
export class DirectQuery extends Query {
  /** The name of the prepared statement; empty for none. */
  readonly name: string;
  /** The rows, once the query has ended. */
  readonly rowsRead: unknown[] = [];
  /** Why a row could not be parsed. */
  failure: unknown;
  readonly #known: KnownShapes;
  #shape = NO_COLUMNS;

  /** @param known the shapes of prepared statements; it is added to. */
  constructor(name: string, text: string, values: unknown[], known: KnownShapes) {
    super(text, values);
    this.name = name;
    this.#known = known;
  }

  /** The driver calls it before the first row. */
  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const known = this.#known.get(this.name);
    if (known !== undefined && isOf(fields, known)) {
      this.#shape = known;
      return;
    }
    this.#shape = shapeOf(fields);
    if (this.name !== '') this.#known.set(this.name, this.#shape);
  }

  /** The driver calls it with each row. An exception would end the process. */
  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { columns, empty } = this.#shape;
    try {
      const row = { ...empty };
      for (let index = 0; index < columns.length; index += 1) {
        const text = fields[index]!;
        const { name, parse } = columns[index]!;
        if (text !== null) row[name] = parse(text);
      }
      this.rowsRead.push(row);
    } catch (error) {
      this.failure = error;
    }
  }
}

function shapeOf(fields: readonly FieldDef[]): Shape {
  const columns = fields.map(columnOf);
  return { columns, empty: Object.fromEntries(columns.map(({ name }) => [name, null])) };
}

function columnOf({ name, dataTypeID: type }: FieldDef): Column {
  return { name, type, parse: PARSERS.get(type) ?? parserOf(type) };
}

function isOf(fields: readonly FieldDef[], { columns }: Shape): boolean {
  return (
    fields.length === columns.length &&
    columns.every(
      ({ name, type }, index) => fields[index]!.name === name && fields[index]!.dataTypeID === type,
    )
  );
}
