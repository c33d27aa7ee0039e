import { existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FolderLock } from '#storage/disk/lock.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const pathIn = (folder: string) => join(folder, 'lock.db')

test('a damaged lock keeps nobody from the store: nothing is ever in it (reliability, row 6)', () => {
  const folder = tempFolder()
  const path = pathIn(folder)
  for (const content of ['x', 'not a database at all'.repeat(500), '\0'.repeat(70_000)]) {
    writeFileSync(path, content)
    const lock = FolderLock.take(path, folder)
    expect(() => FolderLock.take(path, folder)).toThrow(expect.objectContaining({ code: 'in-use' }))
    lock.release()
  }
})

test('a lock that is damaged while it is held is not taken by a second Acuse (reliability, row 24)', () => {
  const folder = tempFolder()
  const path = pathIn(folder)
  const lock = FolderLock.take(path, folder)
  writeFileSync(path, 'garbage that some program wrote')
  expect(() => FolderLock.take(path, folder)).toThrow(expect.objectContaining({ code: 'in-use' }))
  expect(statSync(path).size).toBeGreaterThan(0)
  lock.release()
})

test('a lock that is a link is refused in a sentence, and what it leads to is left alone (reliability, row 6)', () => {
  const folder = tempFolder()
  const other = join(folder, 'somebody-elses')
  writeFileSync(other, 'theirs', { mode: 0o644 })
  symlinkSync(other, pathIn(folder))
  expect(() => FolderLock.take(pathIn(folder), folder)).toThrow(/cannot be locked: .* is a symbolic link/)
  expect([readFileSync(other, 'utf8'), statSync(other).mode & 0o777]).toEqual(['theirs', 0o644])
})

test('a lock whose folder is renamed and gets its name again is still held, and no other Acuse is suspected', () => {
  vi.useFakeTimers()
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
  onTestFinished(() => void vi.useRealTimers().restoreAllMocks())
  const folder = tempFolder()
  const path = pathIn(folder)
  const lock = FolderLock.take(path, folder)
  renameSync(folder, `${folder}-away`)
  vi.advanceTimersByTime(2_000)
  expect(warned).toHaveBeenCalledTimes(1)
  renameSync(`${folder}-away`, folder)
  vi.advanceTimersByTime(2_000)
  expect(warned).toHaveBeenCalledTimes(1)
  expect(() => FolderLock.take(path, folder)).toThrow(expect.objectContaining({ code: 'in-use' }))
  lock.release()
})

test('a lock whose file is removed while it is held is taken again within a second or so (reliability, row 24)', async () => {
  const folder = tempFolder()
  const path = pathIn(folder)
  const lock = FolderLock.take(path, folder)
  rmSync(path)
  await expect.poll(() => existsSync(path), { timeout: 10_000 }).toBe(true)
  expect(() => FolderLock.take(path, folder)).toThrow(expect.objectContaining({ code: 'in-use' }))
  lock.release()
  FolderLock.take(path, folder).release()
})
