import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Lock for one instance per user-data folder, synchronous as Electron's: a file with the owner's process id, and a signal to the owner.
 * @param {string} folder @param {(argv: string[]) => void} called for later instances, with their arguments
 * @returns whether this process owns the lock
 */
export function takeLock(folder, called) {
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, 'stand-in.lock')
  const owner = ownerOf(lock)
  const given = join(folder, 'stand-in.arguments')
  if (owner !== undefined) {
    writeFileSync(given, JSON.stringify(process.argv))
    process.kill(owner, 'SIGUSR2')
    return false
  }
  writeFileSync(lock, String(process.pid))
  process.on('exit', () => rmSync(lock, { force: true }))
  process.on('SIGUSR2', () => called(JSON.parse(readFileSync(given, 'utf8'))))
  return true
}

export const releaseLock = (folder) => rmSync(join(folder, 'stand-in.lock'), { force: true })

/** The living process that holds the lock, if any: a killed one leaves its file behind. */
function ownerOf(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}
