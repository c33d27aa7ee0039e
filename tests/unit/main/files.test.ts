import { EventEmitter } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IpcMain } from 'electron'
import { expect, it } from 'vitest'
import { answerFiles } from '../../../src/main/files.ts'
import type { Answered } from '../../../src/main/ipc.ts'
import { tempFolder } from '../../support/temp-folder.ts'

class Page extends EventEmitter {
  readonly id: number
  constructor(id: number) {
    super()
    this.id = id
  }
}
type Listener = (event: { readonly sender: Page }, ...args: unknown[]) => Promise<Answered>

/** The handler of the channel; the user saves everything in `folder`, or cancels. */
function filesIn(folder: string | null) {
  let listener: Listener | undefined
  const ipc = {
    handle(_channel: string, given: Listener) {
      listener = given
    },
  }
  const discard = answerFiles({
    ipc: ipc as unknown as IpcMain,
    trusted: () => true,
    ask: async (name) => (folder === null ? undefined : join(folder, name)),
    askFolder: async () => folder ?? undefined,
  })
  const call = async (sender: Page, ...args: unknown[]) =>
    (await listener?.({ sender }, ...args)) as { ok: boolean; result?: { id: number }; refusal?: object }
  return { call, discard }
}
const base64 = (text: string) => Buffer.from(text).toString('base64')

it('a file has its name, and all pieces in order, only at its end; only the owner may read it', async () => {
  const folder = tempFolder()
  const { call } = filesIn(folder)
  const page = new Page(1)
  writeFileSync(join(folder, 'a.txt'), 'old')
  const { result } = await call(page, 'begin', 'a.txt')
  for (const piece of ['one ', 'two']) await call(page, 'write', result?.id, base64(piece))
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('old')
  expect(await call(page, 'end', result?.id, true)).toMatchObject({ ok: true })
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one two')
  expect(statSync(join(folder, 'a.txt')).mode & 0o077).toBe(0)
  expect(readdirSync(folder)).toEqual(['a.txt'])
})

it.each<[string, (page: Page, call: ReturnType<typeof filesIn>['call'], id: unknown) => unknown]>([
  ['the page discards', (page, call, id) => call(page, 'end', id, false)],
  ['whose window closes', (page) => page.emit('destroyed')],
])('a file that %s leaves nothing', async (_name, act) => {
  const folder = tempFolder()
  const { call } = filesIn(folder)
  const page = new Page(1)
  const { result } = await call(page, 'begin', 'a.txt')
  await call(page, 'write', result?.id, base64('half'))
  await act(page, call, result?.id)
  await expect.poll(() => readdirSync(folder)).toEqual([])
})

it('a quit leaves nothing; another window cannot write; a cancelled dialog and a missing folder write nothing', async () => {
  const folder = tempFolder()
  const { call, discard } = filesIn(folder)
  const { result } = await call(new Page(1), 'begin', 'a.txt')
  const denied = await call(new Page(2), 'write', result?.id, base64('x'))
  expect(denied.refusal).toMatchObject({ code: 'not-found' })
  await discard()
  expect(readdirSync(folder)).toEqual([])
  const cancelled = filesIn(null).call
  for (const asked of [['begin', 'a.txt'], ['folder']])
    expect(await cancelled(new Page(1), ...asked)).toEqual({ ok: true, result: null })
  expect(await call(new Page(1), 'folder')).toEqual({ ok: true, result: folder })
  const missing = await filesIn(join(folder, 'gone')).call(new Page(1), 'begin', 'a.txt')
  expect(missing.refusal).toMatchObject({
    code: 'store-failed',
    message: expect.stringContaining('there is no such folder'),
  })
})
