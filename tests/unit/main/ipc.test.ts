import type { IpcMain } from 'electron'
import { expect, it, vi } from 'vitest'
import { AcuseError } from '#contract/errors.ts'
import type { Engine } from '#core/engine/engine.ts'
import { type Answered, answerCommands, type Caller, isOurPage } from '../../../src/main/ipc.ts'
import { INVOKE } from '../../../src/preload/channels.ts'

const ORIGIN = 'app://acuse'
const PAGE = { url: 'app://acuse/electron.html', parent: null }
const ours: Caller = { sender: { id: 7 }, senderFrame: PAGE }

const gone: Caller = {
  sender: { id: 7 },
  get senderFrame(): never {
    throw new Error('Render frame was disposed')
  },
}
const at = (frame: object): Caller => ({ ...ours, senderFrame: { ...PAGE, ...frame } })
it.each<[string, Caller, readonly number[], boolean?]>([
  ['our window, its top frame, our page', ours, [7, 9], true],
  ['our page at another hash', at({ url: `${PAGE.url}#/settings` }), [7], true],
  ['another window', { ...ours, sender: { id: 8 } }, [7]],
  ['a frame when no window is open', ours, []],
  ['a frame that is gone', { ...ours, senderFrame: null }, [7]],
  ['a frame that goes while being asked', gone, [7]],
  ['a frame within our page', at({ parent: PAGE }), [7]],
  ['a web page', at({ url: 'https://acuse/electron.html' }), [7]],
  ['another host of our scheme', at({ url: 'app://acuse.evil/electron.html' }), [7]],
  ['a file', at({ url: 'file:///electron.html' }), [7]],
  ['a data URL', at({ url: 'data:text/html,app://acuse/' }), [7]],
  ['an empty page', at({ url: '' }), [7]],
])('who may call (Electron checklist, item 17): %s', (_name, caller, windows, may = false) =>
  expect(isOurPage(caller, new Set(windows), ORIGIN)).toBe(may),
)

type Listener = (event: unknown, ...args: unknown[]) => Promise<Answered>

function answering(dispatch: Engine['dispatch'], trusted = true): (...args: unknown[]) => Promise<Answered> {
  const listeners = new Map<string, Listener>()
  const ipc = { handle: (channel: string, listener: Listener) => listeners.set(channel, listener) }
  answerCommands(
    ipc as unknown as IpcMain,
    () => trusted,
    () => dispatch,
  )
  expect([...listeners.keys()]).toEqual([INVOKE])
  return (...args) => listeners.get(INVOKE)?.({}, ...args) ?? Promise.reject(new Error('no listener'))
}

it('commands over IPC (architecture, Contract): answer a defect as internal, without its stack', async () => {
  const call = answering(() => Promise.reject(new TypeError('boom')))
  const refusal = { code: 'internal', message: 'boom', command: 'x' }
  expect(await call('x')).toEqual({ ok: false, refusal })
})

it.each<[string, unknown[]]>([
  ['no command', []],
  ['a number for a command', [5]],
  ['an object for a command', [{ toString: () => 'status.get' }]],
  ['a list for a command', [['status.get']]],
  ['a third argument', ['status.get', {}, {}]],
])('commands: over IPC: refuse %s before the engine sees it', async (_name, args) => {
  const dispatch = vi.fn<Engine['dispatch']>()
  expect(await answering(dispatch)(...args)).toMatchObject({ ok: false, refusal: { code: 'bad-params' } })
  expect(dispatch).not.toHaveBeenCalled()
})

it('commands: over IPC: shorten a huge command in the refusal', async () => {
  const call = answering(() => Promise.reject(new AcuseError('unknown-command', 'no')))
  const answered = await call('x'.repeat(1_000_000))
  expect(JSON.stringify(answered).length).toBeLessThan(300)
})

it('commands: over IPC: refuse a stranger, whatever is asked', async () => {
  const dispatch = vi.fn<Engine['dispatch']>()
  const call = answering(dispatch, false)
  expect(await call('status.get', {})).toMatchObject({ ok: false, refusal: { code: 'forbidden' } })
  expect(dispatch).not.toHaveBeenCalled()
})
