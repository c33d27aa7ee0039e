import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readWindow, type WindowFile } from '#hosts/window-files.ts'
import { serveFile } from '../../../src/main/page.ts'
import { sharedFolder } from '../../support/temp-folder.ts'
import { words } from '../../support/words.ts'

describe('the app: scheme serves exactly the built page (architecture, Security; Electron checklist, items 7 and 18)', () => {
  let files: ReadonlyMap<string, WindowFile>
  const home = sharedFolder()
  beforeAll(() => {
    const folder = join(home, 'renderer')
    mkdirSync(join(folder, 'assets'), { recursive: true })
    for (const name of words`electron.html index.html assets/a.js assets/a.js.map ${'assets/with space.css'}`)
      writeFileSync(join(folder, name), name)
    writeFileSync(join(folder, '../secrets.json'), 'secret')
    files = readWindow(folder, '/electron.html')
  })
  const ask = (url: string, method = 'GET') => serveFile({ url, method }, files)

  it('lists the built files, but neither the browser page nor source maps', () => {
    expect([...files.keys()].sort()).toEqual(['/assets/a.js', '/assets/with%20space.css', '/electron.html'])
  })

  it.each([
    ['app://acuse/electron.html', 'text/html; charset=utf-8'],
    ['app://acuse/electron.html#/settings', 'text/html; charset=utf-8'],
    ['app://acuse/assets/a.js', 'text/javascript; charset=utf-8'],
    ['app://acuse/assets/with%20space.css', 'text/css; charset=utf-8'],
  ])('serves %s', async (url, type) => {
    const response = await ask(url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
  })

  it.each(words`app://acuse/ app://acuse app://acuse/index.html app://acuse/assets app://acuse/assets/
    app://acuse/../secrets.json app://acuse/%2e%2e/secrets.json app://acuse/..%2fsecrets.json
    app://acuse/..%5csecrets.json app://acuse/assets/..%2f..%2fsecrets.json
    app://acuse//secrets.json app://acuse//electron.html app://acuse/ELECTRON.HTML
    app://acuse/electron.html%00 app://acuse/electron.html/ app://acuse/electron%2ehtml
    app://acuse/etc/passwd app://acuse/assets/a.js.map app://acuse/__proto__
    app://other/electron.html app://acuse.evil/electron.html app://acuse:80/electron.html
    app://user@acuse/electron.html https://acuse/electron.html file:///electron.html
    ${'not a url'}`)('answers 404 to %s', async (url) => {
    const response = await ask(url)
    expect(response.status).toBe(404)
    expect(await response.text()).toBe('')
  })

  it.each(['POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE'])('answers 405 to %s', async (method) => {
    expect((await ask('app://acuse/electron.html', method)).status).toBe(405)
  })

  it('sends the policy with every answer, and it lets nothing in from elsewhere', async () => {
    for (const url of ['app://acuse/electron.html', 'app://acuse/nothing']) {
      const { headers } = await ask(url)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("connect-src 'none'")
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})
