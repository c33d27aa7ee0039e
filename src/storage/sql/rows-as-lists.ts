import type { SQLInputValue, StatementSync } from 'node:sqlite'

/** All rows of a query as lists of values, in the order of its columns: read in about half the time of rows with names. */
export function rowsAsLists(
  query: StatementSync,
  params: readonly SQLInputValue[],
  named: Readonly<Record<string, SQLInputValue>> = {},
): readonly (readonly unknown[])[] {
  query.setReturnArrays(true)
  // The types of node:sqlite know only rows with names.
  const rows: unknown = query.all(named, ...params)
  return rows as readonly (readonly unknown[])[]
}
