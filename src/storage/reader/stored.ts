import type { Statements } from '../sql/connection.ts'

/** How many deliveries there are with a higher id. */
export function storedAfter(statements: Statements, id: number): number {
  return Number(statements.get('SELECT count(*) AS n FROM delivery WHERE id > ?').get(id)?.n)
}

/** How many deliveries there are up to an id near the highest, by what the writer keeps count of: they are not gone through. */
export function storedUpto(statements: Statements, id: number): number {
  const { upto, counted } = statements
    .get(
      `SELECT (SELECT value FROM meta WHERE key = 'counted_upto') AS upto, (SELECT value FROM meta WHERE key = 'counted') AS counted`,
    )
    .get() ?? { upto: 0, counted: 0 }
  return Number(counted ?? 0) + storedAfter(statements, Number(upto ?? 0)) - storedAfter(statements, id)
}

const FOLLOWED = ['deletions', 'restorations'].map(
  (key) =>
    `coalesce((SELECT value FROM meta WHERE key = '${key}'), 0) = coalesce((SELECT value FROM progress WHERE key = '${key}'), 0)`,
)

/** Whether analysis has dropped what it derived from deliveries that are gone, and has seen those that came back from the trash. */
export function deletionsFollowed(statements: Statements): boolean {
  return statements.get(`SELECT ${FOLLOWED.join(' AND ')} AS same`).get()?.same === 1
}
