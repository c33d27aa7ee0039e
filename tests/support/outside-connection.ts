import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

/*
 * Another program that uses one of our databases, such as a database browser or a backup tool. Until it is ended, it locks the file against
 * other writers for a while, reads and closes, in a loop. Arguments: file, milliseconds of the first lock, milliseconds of later
 * locks. It prints a line after each round.
 */
const [file = '', first = '0', later = '0'] = process.argv.slice(2)
const GAP_MS = 150

for (let held = Number(first); ; held = Number(later)) {
  const db = new DatabaseSync(file, { timeout: 2_000 })
  try {
    db.exec('BEGIN EXCLUSIVE')
    await wait(held)
    db.prepare('SELECT count(*), sum(length(body)) FROM payload').get()
    db.exec('COMMIT')
    console.log('locked')
  } catch (error) {
    console.log(String(error))
  } finally {
    db.close()
  }
  await wait(GAP_MS)
}
