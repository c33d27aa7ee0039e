import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { fileTrouble } from '#core/file-trouble.ts'
import { readIfThere, writeAtomically } from '#hosts/atomic-file.ts'
import { ensureDataDir } from '#hosts/data-dir.ts'
import { told } from '#storage/disk/files.ts'
import { tempFolder } from '../../support/temp-folder.ts'

function thrown(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test('what the file system has against a file is said in words, without its codes (every refusal is a sentence)', () => {
  const folder = tempFolder()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const read = (path: string) => fileTrouble(thrown(() => readFileSync(path)))
  const write = (path: string) => {
    const error = thrown(() => writeFileSync(path, ''))
    return fileTrouble(error, 'written')
  }
  expect(read(join(folder, 'absent'))).toBe('there is no such file')
  expect(read(folder)).toBe('it is a folder')
  expect(read(join(file, 'below'))).toBe('a part of its path is a file and no folder')
  expect(read(join(folder, 'n'.repeat(300)))).toBe('its name is too long')
  expect(read('a\0b')).toBe('that is no name of a file')
  expect(write(join(folder, 'absent', 'file'))).toBe('there is no such folder')
  expect(write(folder)).toBe('it is a folder')
})

test('a missing permission and a full disk are told; an unknown one keeps its own words', () => {
  const failed = (code: string) => Object.assign(new Error(`${code}: words of the system`), { code })
  expect(fileTrouble(failed('EACCES'))).toContain('want of permission')
  expect(fileTrouble(failed('ENOSPC'), 'written')).toBe('the disk is full')
  expect(fileTrouble(failed('EODD'))).toBe('EODD: words of the system')
  expect(fileTrouble('odd')).toBe('odd')
})

test('a change that does not fit on the disk says where, instead of words of the database', () => {
  using db = new DatabaseSync(':memory:')
  db.exec('CREATE TABLE t (v); PRAGMA max_page_count=1')
  const full = thrown(() => db.exec('INSERT INTO t VALUES (zeroblob(100000))'))
  expect(told(full)).toMatchObject({
    code: 'store-failed',
    message: expect.stringContaining('Free some space'),
  })
})

test("Acuse's own files say which they are and why: settings, secrets and the data folder", async () => {
  const folder = tempFolder()
  const taken = join(folder, 'taken')
  mkdirSync(taken)
  expect(await readIfThere(join(folder, 'absent'))).toBeUndefined()
  const message = `${taken} cannot be read: it is a folder.`
  await expect(readIfThere(taken)).rejects.toMatchObject({ code: 'store-failed', message })
  const lost = join(folder, 'absent', 'settings.json')
  const written = writeAtomically(lost, '{}')
  await expect(written).rejects.toThrow(`${lost} cannot be written: there is no such folder.`)
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const inTheWay = `The folder ${file} cannot be made: a file of that name is in the way.`
  expect(() => ensureDataDir(file, () => undefined)).toThrow(inTheWay)
})

test('a pipe under the name of a file, or of its draft, is refused in a sentence or put out of the way, and never waited for', async () => {
  const folder = tempFolder()
  const pipe = join(folder, 'settings.json')
  spawnSync('mkfifo', [pipe, `${pipe}.new`])
  const message = `${pipe} cannot be read: it is no file that can be read.`
  await expect(readIfThere(pipe)).rejects.toMatchObject({ code: 'store-failed', message })
  await writeAtomically(pipe, '{}')
  expect(await readIfThere(pipe)).toBe('{}')
})

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0

test.runIf(canMount)('a data folder where nothing can be written is refused in a sentence', () => {
  const folder = tempFolder()
  const open = `import('#storage/disk/files.ts').then(({ claimFolder }) => claimFolder(process.argv[1])).catch(({ code, message }) => console.log(code, message))`
  const script =
    'mount -t tmpfs none "$1" && mkdir "$1/data" && mount -o remount,ro "$1" && exec "$2" --no-warnings -e "$3" "$1/data"'
  const args = ['-rm', 'sh', '-c', script, 'sh', folder, process.execPath, open]
  const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' })
  const refused = `The data folder ${join(folder, 'data')} cannot be used: it lies where nothing can be written.`
  expect([stderr, stdout]).toEqual(['', `store-failed ${refused}\n`])
})

const CHILD = join(import.meta.dirname, '../../support/low-disk-child.ts')

test.runIf(canMount)(
  'while the disk is nearly full jobs, forwards and sweeps wait, and go on by themselves',
  { tags: 'long', timeout: 120_000 },
  () => {
    const mount = join(tempFolder(), 'small')
    mkdirSync(mount)
    const command = `mount -t tmpfs -o size=160m none "${mount}" && TMPDIR="${mount}" exec nice -n 15 "${process.execPath}" --no-warnings "${CHILD}"`
    // Also at a lower priority than the thread that files takes by itself.
    const run = spawnSync('unshare', ['-rm', 'sh', '-c', command], { encoding: 'utf8', timeout: 100_000 })
    expect(run.stderr).toBe('')
    const low = expect.stringMatching(/^Only \d+ MB are free on the disk/)
    expect(JSON.parse(run.stdout)).toEqual({
      low: { answered: 200, job: low, lane: low, sweep: low, sent: [] },
      after: { job: null, lane: null, sweep: 'complete', sent: ['/job', '/live', '/sync', '/sync'] },
    })
  },
)
