import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal, say } from './project.mjs'

/** Lock file with the id of the process that installs or builds. */
const LOCK = '.preparing'
const AGAIN_MS = 200

/**
 * Runs `work` while no other command of this checkout installs or builds: of two builds at once, each would empty the folder that
 * the other fills. After a wait, `work` must check again what is left to do.
 */
export async function alone(root, work) {
  const path = join(root, LOCK)
  for (let told = false; !taken(path); told = true) {
    if (!told) say('Another command is preparing this checkout; waiting for it …')
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
  const leave = () => rmSync(path, { force: true })
  process.once('exit', leave)
  try {
    return await work()
  } finally {
    leave()
    process.off('exit', leave)
  }
}

function taken(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw new Refusal(`The checkout cannot be prepared: ${error.message}.`)
  }
  // Remove the lock of a killed process; the next round takes it.
  if (!isAlive(holder(path))) rmSync(path, { force: true })
  return false
}

/** @returns the id in the lock; undefined while its owner is still writing, or when the file no longer exists */
function holder(path) {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  if (pid === undefined) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
