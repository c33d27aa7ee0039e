import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { overwrite, PAGE, soundStore } from '../../../reliability/damage-rounds.ts'
import { runCliHere } from '../../../support/cli-here.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

let sound: Buffer
beforeAll(async () => {
  sound = await soundStore()
})

function aFolder() {
  const folder = tempFolder()
  const file = join(folder, 'captured.db')
  writeFileSync(file, sound)
  return { folder, file, acuse: (...words: string[]) => runCliHere([...words, '--data', folder]) }
}

test('a database set aside is said, and proves nothing until it is recovered', async () => {
  const { file, acuse } = aFolder()
  overwrite(file, 0, Buffer.alloc(100, 0xa5))
  const stderr = expect.stringContaining('It was set aside as')
  const copy = join(tempFolder(), 'copy')
  expect(await acuse('backup', copy)).toMatchObject({ code: 0, stderr })
  for (const _ of ['first', 'again'])
    expect(await acuse('verify')).toMatchObject({ code: 1, stdout: expect.stringContaining('Log '), stderr })
})

test('damage inside captured.db is what verify finds', async () => {
  const { file, acuse } = aFolder()
  overwrite(file, Math.floor(sound.length / PAGE / 2) * PAGE, Buffer.alloc(2_000, 0xa5))
  const stdout = expect.stringMatching(
    /^Database {2}SQLite finds: .+\. Nothing else was read\. A running Acuse sets it aside .+\n$/s,
  )
  expect(await acuse('verify')).toMatchObject({ code: 1, stdout })
})

test.each(['replays.db', 'sweeps.db'])('verify and backup name a damaged %s', async (name) => {
  const { folder, acuse } = aFolder()
  writeFileSync(join(folder, name), 'x'.repeat(8_192))
  const stdout = expect.stringContaining(`SQLite finds: ${name}: file is not a database.\nBodies `)
  expect(await acuse('verify')).toMatchObject({ code: 1, stdout })
  const copy = join(tempFolder(), 'copy')
  expect(await acuse('backup', copy)).toMatchObject({ code: 3, stderr: expect.stringContaining(name) })
  expect(existsSync(copy)).toBe(false)
})
