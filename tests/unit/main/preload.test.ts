import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { ACTION, INVOKE, MENU, PUSH } from '../../../src/preload/channels.ts'

interface Bridge {
  call(command: string, params: unknown): unknown
  onPush(listener: (...args: unknown[]) => void): () => void
  setMenu(menu: unknown): void
  onAction(listener: (...args: unknown[]) => void): void
}
const ROOT = join(import.meta.dirname, '../../..')

/** Bundles the script as the build does and runs it where there is nothing but a sandboxed preload's `require`. */
function load() {
  const folder = mkdtempSync(join(tmpdir(), 'acuse-test-'))
  const script = `
    import { build } from 'vite'
    await build({ configFile: false, logLevel: 'error', build: {
      outDir: process.argv[1], minify: false, ssr: 'src/preload/index.ts',
      rolldownOptions: { external: ['electron'], output: { format: 'cjs', entryFileNames: 'index.cjs' } } } })`
  execFileSync(process.execPath, ['--input-type=module', '-e', script, folder], { cwd: ROOT })
  const bundle = readFileSync(join(folder, 'index.cjs'), 'utf8')
  rmSync(folder, { recursive: true })
  const invoked: unknown[][] = []
  const listeners = new Map<unknown, (...args: unknown[]) => void>()
  const exposed = new Map<string, Bridge>()
  const electron = {
    contextBridge: { exposeInMainWorld: (key: string, api: Bridge) => exposed.set(key, api) },
    ipcRenderer: {
      invoke: async (...args: unknown[]) => void invoked.push(args),
      send: (...args: unknown[]) => void invoked.push(args),
      on: (channel: string, listener: () => void) => listeners.set(channel, listener),
      off: (channel: string, listener: () => void) => {
        if (listeners.get(channel) === listener) listeners.delete(channel)
      },
    },
  }
  const require = (name: string) => {
    if (name === 'electron') return electron
    throw new Error(`module not found: ${name}`)
  }
  const module = { exports: {} }
  runInNewContext(bundle, {
    require,
    module,
    exports: module.exports,
  })
  return { exposed, invoked, listeners }
}

describe('the preload script (Electron checklist, items 2, 3, 4 and 20)', () => {
  const { exposed, invoked, listeners } = load()
  const bridge = exposed.get('acuse')

  it('needs nothing but electron and gives the page four functions', () => {
    expect([...exposed.keys()]).toEqual(['acuse'])
    expect(Object.keys(bridge ?? {}).sort()).toEqual(['call', 'onAction', 'onPush', 'setMenu'])
  })
  it('sends exactly the command and its parameters', () => {
    const call: ((...args: [string, unknown, ...unknown[]]) => unknown) | undefined = bridge?.call
    call?.('status.get', {}, 'more')
    expect(invoked).toEqual([[INVOKE, 'status.get', {}]])
    bridge?.setMenu([])
    expect(invoked.at(-1)).toEqual([MENU, []])
  })
  it('hands on what was chosen in the menu, and never the event', () => {
    const got: unknown[][] = []
    bridge?.onAction((...args) => void got.push(args))
    listeners.get(ACTION)?.({ sender: 'must not leak' }, 'next', false, 'extra')
    expect(got).toEqual([['next', false]])
    listeners.clear()
  })
  it('hands a listener the push and never the event, until it is stopped', () => {
    const got: unknown[][] = []
    const stop = bridge?.onPush((...args) => void got.push(args))
    listeners.get(PUSH)?.({ sender: 'must not leak' }, { seq: 1 }, 'extra')
    expect(got).toEqual([[{ seq: 1 }]])
    expect(stop?.()).toBeUndefined()
    expect(listeners.size).toBe(0)
  })
})
