import { createHash } from 'node:crypto';

/** A statement as the driver adapter passes it. */
interface Statement {
  sql: string;
  args: readonly unknown[];
}

/** Names statements, so that each connection parses and plans a text once and not every time. */
export interface StatementNames {
  /** @returns the name of a statement, or an empty string if it should not be prepared. */
  nameOf(statement: Statement): string;
  /** Replaces all names. A prepared statement fails permanently if a migration changes the type of one of its columns. */
  renew(): void;
}

/** Maximum number of names. It bounds the memory of a connection in PostgreSQL, which keeps a plan for each name. */
const MAX_NAMES = 250;
/** Statements with a parameter for each list item have a different text for each length, so each text is rare. */
const MAX_PARAMETERS = 40;

/**
 * Creates the names for one pool.
 *
 * A name is a hash of the text, so a server connection that several processes share (a pooler) never has another text under the
 * same name.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  let generation = 0;
  return {
    nameOf({ sql, args }) {
      // Without parameters, such as COMMIT, the simple protocol needs one message only.
      if (args.length === 0 || args.length > MAX_PARAMETERS) return '';
      const known = names.get(sql);
      if (known !== undefined) return known;
      if (names.size >= MAX_NAMES) return '';
      const hash = createHash('sha256').update(sql).digest('base64url').slice(0, 22);
      const name = `ds_${generation}_${hash}`;
      names.set(sql, name);
      return name;
    },
    renew() {
      names.clear();
      generation += 1;
    },
  };
}
