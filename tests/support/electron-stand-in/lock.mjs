import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CALL = 'stand-in-call-'

/**
 * One instance per user-data folder, synchronously as Electron's is: a file with the owner's process id, and a signal to the owner after
 * leaving it a note with our arguments.
 * @param {string} folder @param {(args: string[], directory: string) => void} called for each later instance
 * @returns whether this process is the one
 */
export function takeLock(folder, called) {
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, 'stand-in.lock')
  const owner = ownerOf(lock)
  if (owner !== undefined) {
    writeFileSync(join(folder, `${CALL}${process.pid}`), JSON.stringify([process.argv, process.cwd()]))
    process.kill(owner, 'SIGUSR2')
    return false
  }
  writeFileSync(lock, String(process.pid))
  process.on('exit', () => rmSync(lock, { force: true }))
  process.on('SIGUSR2', () => {
    for (const note of readdirSync(folder).filter((name) => name.startsWith(CALL))) {
      const [args, directory] = JSON.parse(readFileSync(join(folder, note), 'utf8'))
      rmSync(join(folder, note))
      called(args, directory)
    }
  })
  return true
}

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
