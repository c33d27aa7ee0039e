import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureDataDir } from '#hosts/data-dir.ts'
import { startHost } from '../../support/host.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)

/** @returns the warning, or null */
function taken(folder: string): string | null {
  let said: string | null = null
  ensureDataDir(folder, (sentence) => {
    said = sentence
  })
  return said
}

function folderWith(mode: number, files: readonly string[] = []): string {
  const folder = join(tempFolder(), 'data')
  mkdirSync(folder)
  for (const name of files) writeFileSync(join(folder, name), '')
  chmodSync(folder, mode)
  return folder
}

test.each([
  ['with other files that others may read', 0o755, ['notes.txt']],
  ['with other files that a group may enter', 0o710, ['notes.txt']],
  ['empty and of a group', 0o2775, []],
  ['empty and for all, as for temporary files', 0o1777, []],
  ['empty and writable by all', 0o777, []],
])('a data folder that is there already: %s is refused and left as it is', (_, mode, files) => {
  const folder = folderWith(mode, files)
  expect(() => taken(folder)).toThrow(
    expect.objectContaining({
      code: 'store-failed',
      message: expect.stringMatching(/other users can get into it\..* such as .*data\/acuse\.$/),
    }),
  )
  expect([modeOf(folder), readdirSync(folder)]).toEqual([mode.toString(8), files])
})

test.each([
  ['of this user alone, with other files', 0o700, ['notes.txt'], null],
  ['of Acuse, restored with other modes', 0o755, ['captured.db'], null],
  ['of a sandbox', 0o755, ['sandbox.db'], null],
  ['empty, as mkdir makes it', 0o755, [], 'from now on it is yours alone'],
  ['empty, as mkdir makes it for a user with a group', 0o775, [], 'from now on it is yours alone'],
])('a data folder that is there already: %s is taken', (_, mode, files, told) => {
  const folder = folderWith(mode, files)
  const said = taken(folder)
  if (told === null) expect(said).toBeNull()
  else expect([said, modeOf(folder)]).toEqual([expect.stringContaining(told), '700'])
  // The desktop app makes a folder of its own in it before the store opens it.
  expect([taken(join(folder, 'desktop')), taken(folder)]).toEqual([null, null])
})

test('a data folder that is there already: that is missing is made for this user alone', () => {
  const folder = join(tempFolder(), 'a', 'b')
  expect(taken(folder)).toBeNull()
  expect(modeOf(folder)).toBe('700')
})

test('acuse serve: --data: on an empty one says that it closes it', async () => {
  const folder = folderWith(0o755)
  const host = await startHost({ dataDir: folder, args: ['--no-ui'] })
  expect(host.stderr()).toContain('from now on it is yours alone')
  await host.stop()
  expect(modeOf(folder)).toBe('700')
  expect(existsSync(join(folder, 'captured.db'))).toBe(true)
})
