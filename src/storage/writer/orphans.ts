import type { Statements } from '../sql/connection.ts'

/** Uploads whose delivery never came: the process ended between the pieces and the row that makes them a body. */
export function orphanUploads(statements: Statements): string[] {
  return statements
    .get(
      `SELECT DISTINCT upload FROM chunk WHERE upload NOT IN (SELECT upload FROM delivery WHERE upload IS NOT NULL
       UNION ALL SELECT upload FROM trashed WHERE upload IS NOT NULL)`,
    )
    .all()
    .map((row) => String(row.upload))
}
