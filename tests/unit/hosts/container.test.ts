import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startHost } from '../../support/host.ts'

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../packaging/container', name), 'utf8')
const containerfile = read('Containerfile')
/** Words of an instruction in exec form. */
const wordsOf = (instruction: string): readonly string[] =>
  JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(containerfile)?.[1] ?? '[]')

test('the container: its command receives from outside, and its health check tells a host that receives from none', async () => {
  const health = /HEALTHCHECK [^[]*CMD (\[.*\])/.exec(containerfile)?.[1] ?? '[]'
  const [program, ...args]: string[] = JSON.parse(health)
  expect([program, wordsOf('ENTRYPOINT')]).toEqual(['node', ['node', 'acuse']])
  const [serve, ...given] = wordsOf('CMD')
  expect(serve).toBe('serve')
  const host = await startHost({ args: given })
  onTestFinished(() => host.kill())
  const checked = async () => {
    const { port } = new URL(host.uiUrl)
    const child = spawn(
      process.execPath,
      args.map((text) => text.replace(':4401/', `:${port}/`)),
    )
    return (await once(child, 'exit'))[0]
  }
  expect(await checked()).toBe(0)
  await host.stop()
  expect(await checked()).toBe(1)
})

test('the container: only the data can be written, by a user without rights, and no port of Acuse is public beside the proxy', () => {
  expect(containerfile).toMatch(/^USER 65532:65532$/m)
  expect(wordsOf('VOLUME')).toEqual(['/data'])
  const compose = read('compose.yaml')
  for (const line of ['read_only: true', 'cap_drop: ["ALL"]', 'security_opt: ["no-new-privileges:true"]'])
    expect(compose).toContain(line)
  expect(compose).not.toMatch(/["' ]440\d:|0\.0\.0\.0/)
  for (const [name, port] of [
    ['HOOKS_NAME', 4400],
    ['ACUSE_NAME', 4401],
  ])
    expect(read('Caddyfile')).toContain(`{$${name}} {\n\treverse_proxy 127.0.0.1:${port}\n}`)
})
