import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

function made(atTheEnd: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'acuse-test-'))
  atTheEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Makes a folder for the running test, removed after the test. */
export const tempFolder = () => made(onTestFinished)

/** Makes a folder for all tests of a file or a `describe`. */
export const sharedFolder = () => made(afterAll)
