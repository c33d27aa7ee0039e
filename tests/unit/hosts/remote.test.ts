import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createBrowserHost } from '#hosts/browser/server.ts'
import { attachTo, readStartLink } from '#hosts/remote.ts'
import { fetchAs, openLink } from '../../support/browser-session.ts'
import { startCli } from '../../support/cli-process.ts'
import { EngineDouble } from '../../support/engine-double.ts'
import { runCli, startHost } from '../../support/host.ts'
import { opened } from '../../support/listening-port.ts'
import { sharedFolder } from '../../support/temp-folder.ts'
import { windowFolder } from '../../support/window-folder.ts'

const TOKEN = 'A'.repeat(43)
const rendererDir = windowFolder(sharedFolder())
const engine = new EngineDouble({
  'app.info': async () => ({ version: '1.0.0', dataDir: 'd', capabilities: {} as never }),
})

async function hosting() {
  const host = createBrowserHost({ engine, rendererDir, port: 0 })
  const { url } = await host.start()
  onTestFinished(() => host.close())
  return { host, origin: new URL(url).origin }
}
async function answering(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${await opened(server)}`
}
const attaching = (origin: string) => attachTo({ origin, token: TOKEN }, '1.0.0')
const because = (why: string) => ({ details: { why } })

test.each([
  ['', 'no-start-link'],
  ['acuse', 'no-start-link'],
  ['https://acuse.example/', 'no-start-link'],
  ['https://acuse.example/#token=short', 'no-start-link'],
  [`http://acuse.example/#token=${TOKEN}`, 'unsafe-address'],
  [`http://127.0.0.1.evil.example/#token=${TOKEN}`, 'unsafe-address'],
  [`ftp://127.0.0.1/#token=${TOKEN}`, 'unsafe-address'],
  [`https://user:pass@acuse.example/#token=${TOKEN}`, 'unsafe-address'],
  [`https://acuse.example/#token=${TOKEN}`, 'unsafe-address', 'http://10.0.0.5:4401'],
  [`https://acuse.example/#token=${TOKEN}`, 'unsafe-address', 'https://user@acuse.example'],
])('no token goes out for %s (%s)', (text, why, at?: string) => {
  expect(() => readStartLink(text, at)).toThrow(
    expect.objectContaining({ code: 'bad-params', ...because(why) }),
  )
})

test('an address replaces that of the link: the near end of a tunnel has another port', () => {
  const link = `http://127.0.0.1:4401/#token=${TOKEN}`
  expect(readStartLink(` ${link}\n`)).toEqual({ origin: 'http://127.0.0.1:4401', token: TOKEN })
  expect(readStartLink(link, 'http://localhost:9000/')).toMatchObject({ origin: 'http://localhost:9000' })
})

test('attaching fails in a sentence: a used link, another version, no Acuse, nothing at all', async () => {
  const { host, origin } = await hosting()
  const link = host.link()
  await attachTo(readStartLink(link), '1.0.0')
  await expect(attachTo(readStartLink(link), '1.0.0')).rejects.toMatchObject(because('link-used'))
  const other = attachTo(readStartLink(host.link()), '2.0.0')
  await expect(other).rejects.toThrow(`${origin} runs Acuse 1.0.0 and this is 2.0.0`)
  const page = await answering((_, response) => response.end('<h1>hello</h1>'))
  await expect(attaching(page)).rejects.toMatchObject(because('no-acuse-there'))
  await expect(attaching('http://127.0.0.1:9')).rejects.toMatchObject(because('remote-unreachable'))
})

test('a redirect does not carry the token elsewhere', async () => {
  const seen: unknown[] = []
  const thief = await answering((request, response) => {
    seen.push(request.headers)
    response.end()
  })
  const origin = await answering((_, response) =>
    response.writeHead(307, { Location: `${thief}/api/session` }).end(),
  )
  await expect(attaching(origin)).rejects.toMatchObject(because('remote-unreachable'))
  expect(seen).toEqual([])
})

test('an attached host says where it is, and that its session has ended', async () => {
  const { host, origin } = await hosting()
  const remote = await attachTo(readStartLink(host.link()), '1.0.0')
  expect(await remote.call('app.info', {})).toMatchObject({ version: '1.0.0', attachedTo: origin })
  await host.close()
  const again = createBrowserHost({ engine, rendererDir, port: Number(new URL(origin).port) })
  await again.start()
  onTestFinished(() => again.close())
  const why = () => remote.call('app.info', {}).catch(({ details }) => details.why)
  // The first call may still find the old connection.
  await expect.poll(why).toBe('session-ended')
})

test('guessing opens nothing and locks no user out; a key that a client brings along stays unknown', async () => {
  const { host, origin } = await hosting()
  const link = host.link()
  const asked = (path: string, key: string) =>
    fetchAs(`${origin}/api/${path}`, {
      method: 'POST',
      headers: { 'X-Acuse': key, 'Content-Type': 'application/json' },
      body: '{}',
    })
  const token = link.replace(/^.*#token=/, '')
  // Near misses of a valid token: the digests have nothing in common.
  const guesses = Array.from({ length: 200 }, (_, n) => token.slice(0, -2) + String(n + 10).slice(-2))
  for (const guess of guesses.filter((one) => one !== token))
    expect((await asked('session', guess)).status).toBe(401)
  const { key } = await openLink(link)
  expect(key).not.toBe(token)
  for (const brought of [token, ...guesses.slice(0, 3)])
    expect((await asked('app.info', brought)).status).toBe(401)
  expect((await asked('app.info', key)).status).toBe(200)
})

const tls = (name: string) => join(import.meta.dirname, '../../fixtures/tls', `self-signed-${name}.pem`)

test('acuse attach: over HTTPS it takes the certificate of a known authority only; no output holds the token', async () => {
  const host = await startHost()
  onTestFinished(() => host.kill())
  const proxy = createTlsServer(
    { cert: readFileSync(tls('certificate')), key: readFileSync(tls('key')) },
    (from) => {
      const to = connect(Number(new URL(host.uiUrl).port), '127.0.0.1')
      from.pipe(to).pipe(from)
      for (const end of [from, to]) end.on('error', () => end.destroy())
    },
  )
  const origin = `https://127.0.0.1:${await opened(proxy)}`
  onTestFinished(() => void proxy.close())
  const link = host.uiUrl.replace(/^[^#]+/, `${origin}/`)
  const refused = await runCli(['attach', link])
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining(`${origin} cannot be reached`) })

  const command = startCli(['attach', link, '--port', '0', '--no-open'], {
    NODE_EXTRA_CA_CERTS: tls('certificate'),
  })
  const [, ui = ''] = await command.says(/Window {4}(\S+)/)
  const { origin: here, headers } = await openLink(ui)
  const asked = await fetchAs(`${here}/api/app.info`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{}',
  })
  expect(JSON.parse(asked.body)).toMatchObject({ attachedTo: origin, dataDir: host.dataDir })
  const token = new URL(link).hash.replace('#token=', '')
  expect(refused.stderr + command.stdout() + command.stderr()).not.toContain(token)
  expect(readFileSync(`/proc/${command.child.pid}/cmdline`, 'utf8')).not.toContain(token)
  expect(await command.interrupt()).toBe(0)
})
