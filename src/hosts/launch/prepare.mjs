import { alone } from './alone.mjs'
import { ensureBuilt, isBuilt } from './build.mjs'
import { ensureInstalled, isInstalled } from './install.mjs'
import { Refusal, say } from './project.mjs'

/** Installs and builds when a fresh clone or changed sources need it; prints nothing otherwise. */
export async function prepare(root) {
  if (isInstalled(root) && isBuilt(root)) return
  await alone(root, async () => {
    await ensureInstalled(root)
    await ensureBuilt(root)
  })
}

/** Runs a script's body, whose result is the exit code. A Refusal prints its sentence and exits with 3. */
export async function carryOut(body) {
  // Without a listener Node opens its inspector on this signal, and every user of the machine could connect to it.
  process.on('SIGUSR1', () => {})
  try {
    process.exitCode = await body()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    say(error.message)
    process.exitCode = 3
  }
}
