import { alone } from './alone.mjs'
import { ensureBuilt, isBuilt } from './build.mjs'
import { ensureInstalled, isInstalled } from './install.mjs'
import { Refusal, say } from './project.mjs'

/** Makes a fresh clone, or one whose sources changed, ready to run. Quiet when there is nothing to do. */
export async function prepare(root) {
  if (isInstalled(root) && isBuilt(root)) return
  await alone(root, async () => {
    await ensureInstalled(root)
    await ensureBuilt(root)
  })
}

/** Runs a script's body: refusals end it with their sentence and exit code 3, and the body's number is the exit code. */
export async function carryOut(body) {
  // Without a listener Node opens its inspector on this signal, which would let every user of the machine in.
  process.on('SIGUSR1', () => {})
  try {
    process.exitCode = await body()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    say(error.message)
    process.exitCode = 3
  }
}
