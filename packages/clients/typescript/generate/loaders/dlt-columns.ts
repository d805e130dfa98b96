import type { Column, ColumnType } from '../../src/stores/columns.ts';

const DLT_TYPES: Record<ColumnType, string> = {
  text: 'text',
  uuid: 'text',
  timestamp: 'timestamp',
  date: 'date',
  json: 'json',
  integer: 'bigint',
  boolean: 'bool',
  number: 'double',
};

/**
 * Returns the lines of a Python dictionary with dlt's type of each field of a table.
 *
 * @param hasChildren whether dlt creates a table for each list. Such fields have no type.
 */
export function dltColumns(table: string, columns: readonly Column[], hasChildren: boolean): string[] {
  // Ids are text, as they are in JSON.
  const lines = columns
    .filter(({ type }) => !hasChildren || type !== 'json')
    .map(({ field, type }) => `        "${field}": "${field === 'id' ? 'text' : DLT_TYPES[type]}",`);
  return [`    "${table}": {`, ...lines, '    },'];
}
