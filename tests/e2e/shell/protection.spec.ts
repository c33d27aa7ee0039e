import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { connectLocal } from '#hosts/local/client.ts'
import {
  callInPage,
  type Desktop,
  desktopArguments,
  electronExecutable,
  openDesktop,
} from '../../support/desktop.ts'
import { opened } from '../../support/listening-port.ts'
import { listeningSockets } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

test.describe('the window is confined (Electron checklist; reliability, rows 18 and 19)', () => {
  test.describe.configure({ mode: 'serial' })
  let desktop: Desktop
  const complaints: string[] = []
  test.beforeAll(async () => {
    desktop = await openDesktop()
    desktop.page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await desktop.page.reload()
    await desktop.page.waitForFunction(() => 'acuse' in window)
  })
  test.afterAll(() => desktop.close())
  test('its own page breaks no rule of its policy', async () => {
    await desktop.page.waitForLoadState('networkidle')
    expect(complaints.filter((text) => /policy|refused/i.test(text))).toEqual([])
  })

  test('the page has no Node and no Electron, only the bridge, frozen (items 2, 3, 4, 20)', async () => {
    const found = await desktop.page.evaluate(() => {
      const page = window as unknown as Record<string, unknown>
      const bridge = page.acuse as object
      return {
        reachable: ['require', 'process', 'module', 'Buffer', 'global'].filter(
          (name) => page[name] !== undefined,
        ),
        bridge: Object.keys(bridge).sort(),
        frozen: Object.isFrozen(bridge),
      }
    })
    expect(found).toEqual({
      reachable: [],
      bridge: ['call', 'files', 'onAction', 'onConnection', 'onPush', 'reconnect', 'setMenu'],
      frozen: true,
    })
  })

  test('a listener gets the push and nothing else (item 20)', async () => {
    const received = desktop.page.evaluate(
      () =>
        new Promise((resolve) => {
          const bridge = (
            window as unknown as { acuse: { onPush(l: (...args: unknown[]) => void): () => void } }
          ).acuse
          const stop = bridge.onPush((...args) => {
            stop()
            resolve(args.map((arg) => Object.keys(arg as object).sort()))
          })
        }),
    )
    await fetch(desktop.receiverUrl, { method: 'POST', body: '{}' })
    expect(await received).toEqual([['payload', 'push', 'seq']])
  })

  test('a __proto__ member over IPC pollutes nothing (item 17)', async () => {
    const answered = await desktop.page.evaluate(() =>
      (window as unknown as { acuse: { call(...asked: unknown[]): Promise<unknown> } }).acuse.call(
        'status.get',
        JSON.parse('{"__proto__":{"polluted":1}}'),
      ),
    )
    expect(answered).toMatchObject({ ok: expect.any(Boolean) })
    expect(await desktop.app.evaluate(() => 'polluted' in {})).toBe(false)
  })

  test('permissions are denied, but for copying (item 5)', async () => {
    const states = await desktop.page.evaluate(async () => {
      const ask = async (name: string) => (await navigator.permissions.query({ name } as never)).state
      return Promise.all(['geolocation', 'notifications', 'clipboard-read', 'clipboard-write'].map(ask))
    })
    expect(states).toEqual(['denied', 'denied', 'denied', 'granted'])
  })

  test('nothing outside can be reached (item 7)', async () => {
    const outcome = await desktop.page.evaluate(async () => {
      const reached: string[] = []
      const note = (what: string) => () => void reached.push(what)
      await fetch('https://example.com/').then(note('fetch'), () => undefined)
      await fetch(location.href).then(note('own page'), () => undefined)
      const image = new Image()
      await new Promise((resolve) => {
        image.onload = note('image')
        image.onerror = resolve
        image.src = 'https://example.com/x.png'
      })
      try {
        new Function('return 1')()
        reached.push('eval')
      } catch {}
      const script = document.createElement('script')
      script.textContent = 'document.body.setAttribute("data-ran", "yes")'
      document.body.append(script)
      if (document.body.hasAttribute('data-ran')) reached.push('inline script')
      return reached
    })
    expect(outcome).toEqual([])
  })

  test('it neither navigates away nor opens windows; https links go to the browser (items 13, 14, 15)', async () => {
    const opened = await desktop.app.evaluateHandle(({ shell }) => {
      const urls: string[] = []
      shell.openExternal = async (url) => void urls.push(url)
      return urls
    })
    const before = desktop.page.url()
    for (const url of ['https://example.com/docs', 'http://example.com/', 'file:///etc/passwd'])
      await desktop.page.evaluate((target) => void window.open(target), url)
    await desktop.page.evaluate(() => {
      location.href = 'https://example.com/elsewhere'
    })
    await expect.poll(() => opened.evaluate((urls) => urls)).toEqual(['https://example.com/docs'])
    const windows = () => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
    await expect.poll(windows).toBe(1)
    expect(desktop.page.url()).toBe(before)
  })
})

test('a page whose process dies is loaded again, and nothing sent meanwhile is lost (reliability, row 9)', async () => {
  await using desktop = await openDesktop()
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  )
  await expect.poll(() => desktop.said()).toContain('and restarts')
  expect((await fetch(desktop.receiverUrl, { method: 'POST', body: '{}' })).status).toBe(200)
  // Chromium refuses or loses calls to a reloading page, so each call has a time-out.
  const shown = () =>
    desktop.app.evaluate(({ BrowserWindow }) =>
      Promise.race([
        BrowserWindow.getAllWindows()[0]
          ?.webContents.executeJavaScript(
            `'acuse' in window ? acuse.call('status.get', {}).then((a) => a.result.counts.stored) : 'not loaded'`,
          )
          .catch(String),
        new Promise((resolve) => setTimeout(() => resolve('no answer'), 1_000)),
      ]),
    )
  await expect.poll(shown).toBe(1)
})

test('what was built to be used loads no page that the environment names', async () => {
  const asked: string[] = []
  const other = createServer((request, response) => {
    asked.push(String(request.url))
    response.end('<!doctype html><script>document.title = typeof acuse</script>')
  })
  await using desktop = await openDesktop(undefined, {
    ELECTRON_RENDERER_URL: `http://127.0.0.1:${await opened(other)}/`,
  })
  const found = await callInPage(desktop.page, 'app.info', {})
  other.close()
  expect([asked, found]).toEqual([[], expect.objectContaining({ ok: true })])
})

test('SIGUSR1 opens no inspector in the desktop app', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'acuse-signal-'))
  const child = spawn(electronExecutable ?? '', desktopArguments(folder), {
    env: { ...process.env, NODE_OPTIONS: '--inspect-port=0' },
    stdio: 'ignore',
  })
  const ended = new Promise((done) => child.once('close', done))
  const client = await until(() => connectLocal(folder).catch(() => null))
  const before = listeningSockets(child.pid ?? 0)
  child.kill('SIGUSR1')
  // These calls follow the signal, so an inspector would have opened by then.
  for (let i = 0; i < 20; i++) await client?.call('status.get', {})
  expect(listeningSockets(child.pid ?? 0)).toEqual(before)
  await client?.close()
  child.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
})
