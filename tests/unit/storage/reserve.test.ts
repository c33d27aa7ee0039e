import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../support/temp-folder.ts'

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0

test.runIf(canMount)('a change that finds no room is written with the reserve, and else told', () => {
  const folder = tempFolder()
  const mount = join(folder, 'small')
  mkdirSync(mount)
  const source = new URL('../../../src/storage/disk/space.ts', import.meta.url).href
  const script = `
    const { closeSync, existsSync, openSync, writeFileSync, writeSync } = await import('node:fs')
    const { keepReserve, shortageAt, withReserve } = await import(${JSON.stringify(source)})
    const folder = ${JSON.stringify(mount)}
    const shortage = shortageAt(folder)
    keepReserve(folder)
    const fd = openSync(folder + '/ballast', 'w')
    try { for (;;) writeSync(fd, Buffer.alloc(4096)) } catch {} finally { closeSync(fd) }
    const write = () => writeFileSync(folder + '/mark', Buffer.alloc(50_000))
    let without = ''
    try { write() } catch (error) { without = error.code }
    withReserve(folder, 'record', write)
    const left = ['record', 'journal'].map((share) => existsSync(folder + '/reserve-' + share))
    let second = ''
    try { withReserve(folder, 'record', () => writeFileSync(folder + '/more', Buffer.alloc(900_000))) } catch (error) { second = error.code }
    console.log(JSON.stringify({ without, left, second, shortage }))`
  const run = spawnSync(
    'unshare',
    [
      '-rm',
      'sh',
      '-c',
      `mount -t tmpfs -o size=8m none "${mount}" && exec "${process.execPath}" --no-warnings --input-type=module`,
    ],
    { encoding: 'utf8', input: script },
  )
  rmSync(mount, { recursive: true })
  expect(run.stderr).toBe('')
  expect(JSON.parse(run.stdout)).toEqual({
    without: 'ENOSPC',
    left: [false, true],
    second: 'ENOSPC',
    shortage:
      'Only 8 MB are free on the disk, which deliveries need. It goes on by itself once 68 MB are free.',
  })
})
