import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rawRequest } from '../../../support/raw-client.ts'
import { runningSandbox } from '../../../support/running-sandbox.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

describe('the admin API is for this machine, not for web pages', () => {
  test('every call refuses strange hosts, browsers and other tokens, before anything else', async () => {
    const { client, sandbox } = await runningSandbox()
    const port = Number(new URL(sandbox.url).port)
    const { body } = await client.admin('GET', '/')
    expect(body.routes.length).toBeGreaterThan(25)
    const auth = `Authorization: Bearer ${sandbox.adminToken}`
    const refused: readonly (readonly [status: number, lines: readonly string[]])[] = [
      [401, ['Host: 127.0.0.1']],
      [401, ['Host: 127.0.0.1', `Authorization: Bearer ${sandbox.apiKey}`]],
      [401, ['Host: 127.0.0.1', `Authorization: Bearer ${sandbox.pluginToken}`]],
      [401, ['Host: 127.0.0.1', `Authorization: Bearer ${sandbox.adminToken}x`]],
      [401, ['Host: 127.0.0.1', `Authorization: ${sandbox.adminToken}`]],
      [401, ['Host: 127.0.0.1', `X-Api-Key: ${sandbox.adminToken}`]],
      [403, ['Host: evil.example', auth]],
      [403, ['Host: 127.0.0.1.evil.example', auth]],
      [403, ['Host: 127.0.0.1@evil.example', auth]],
      [403, ['Host: 127.0.0.1', 'Origin: http://evil.example', auth]],
      [403, ['Host: 127.0.0.1', `Origin: ${sandbox.url}`, auth]],
      [403, ['Host: 127.0.0.1', 'Origin: null', auth]],
      [403, ['Host: 127.0.0.1', 'Sec-Fetch-Site: cross-site', auth]],
      [403, ['Host: 127.0.0.1', 'Sec-Fetch-Site: same-site', auth]],
    ]
    const more = ['/', '/unknown'].map((path) => ({ method: 'GET', path }))
    for (const { method, path } of [...body.routes, ...more])
      for (const [status, lines] of refused) {
        const line = `${method} /_sandbox${path.replace(/:\w+/g, '1')} HTTP/1.1`
        const answer = await rawRequest(port, [line, ...lines, 'Content-Length: 0', 'Connection: close'])
        expect([line, lines, answer.status]).toEqual([line, lines, status])
        expect(JSON.parse(answer.body)).toEqual({
          error: { code: expect.any(String), message: expect.any(String) },
        })
        expect(answer.header('access-control-allow-origin')).toEqual([])
      }
  }, 60_000)

  test('loopback names with any port pass', async () => {
    const { sandbox } = await runningSandbox()
    const port = Number(new URL(sandbox.url).port)
    for (const host of ['localhost', 'LOCALHOST:1', `127.0.0.1:${port}`, '[::1]:80']) {
      const lines = [`Host: ${host}`, `Authorization: bearer ${sandbox.adminToken}`, 'Connection: close']
      expect((await rawRequest(port, ['GET /_sandbox/state HTTP/1.1', ...lines])).status).toBe(200)
    }
  })

  test('wrong methods and unknown calls are told so', async () => {
    const { client } = await runningSandbox()
    const answer = await client.admin('PATCH', '/subscriptions')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect((await client.admin('GET', '/nothing')).status).toBe(404)
    expect((await client.admin('GET', '/log/%')).status).toBe(400)
  })

  test('secrets are stored as hashes, in files that only this user may read', async () => {
    const folder = tempFolder()
    const before = process.umask(0)
    const { client, sandbox } = await runningSandbox({ file: join(folder, 'sandbox.db') }).finally(() =>
      process.umask(before),
    )
    const { body: key } = await client.admin('POST', '/keys', { name: 'second' })
    const { body: plugin } = await client.admin('POST', '/plugins', { name: 'second' })
    await sandbox.close()

    for (const name of readdirSync(folder)) {
      expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0])
      const bytes = readFileSync(join(folder, name))
      for (const secret of [key.key, plugin.token, sandbox.apiKey, sandbox.pluginToken, sandbox.adminToken])
        expect(bytes.includes(secret)).toBe(false)
    }
  })

  test('what was issued is accepted after a restart; the ready line’s own only when handed in again', async () => {
    const file = join(tempFolder(), 'sandbox.db')
    const first = await runningSandbox({ file })
    const { body: key } = await first.client.admin('POST', '/keys', { name: 'kept' })
    await first.client.admin('POST', '/subscriptions', { url: 'http://127.0.0.1:9/' })
    await first.sandbox.close()
    const { adminToken, apiKey, pluginToken } = first.sandbox
    const again = await runningSandbox({ file, credentials: { adminToken, apiKey, pluginToken } })
    expect(again.sandbox).toMatchObject({ adminToken, apiKey, pluginToken })
    expect((await again.client.sync('treasury-sync')).status).toBe(200)
    const path = '/api/v1/documents/treasury-sync'
    expect((await again.client.send('GET', path, { 'X-Api-Key': key.key })).status).toBe(200)
    const state = (await again.client.admin('GET', '/state')).body
    expect([state.keys, state.plugins, state.subscriptions]).toEqual([2, 1, 1])
    await again.sandbox.close()
    const third = await runningSandbox({ file })
    expect((await third.client.send('GET', path, { 'X-Api-Key': apiKey })).status).toBe(401)
    expect((await third.client.sync('treasury-sync')).status).toBe(200)
  })
})
