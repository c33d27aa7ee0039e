import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listening } from '../../support/hook-receiver.ts'
import { type LaunchProject, launchProject } from '../../support/launch-project.ts'
import { storedZip } from '../../support/stored-zip.ts'

const FAILURE = 'node_modules/.cache/acuse/electron-download.json'
const ARCHIVE = /electron-v[\d.]+-.*\.zip$/

/** Starts a mirror of Electron's releases. @returns a function that runs npm start with it */
async function mirrored(answer: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  const mirror = `http://127.0.0.1:${await listening(server)}/`
  const start = (project: LaunchProject, env: NodeJS.ProcessEnv = {}) =>
    project.run('start.mjs', ['--no-sandbox'], {
      DISPLAY: ':99',
      ELECTRON_MIRROR: mirror,
      electron_config_cache: join(project.root, '../cache'),
      electron_use_remote_checksums: '1',
      ACUSE_ELECTRON_FIRST_BYTE_SECONDS: '2',
      ACUSE_ELECTRON_SILENCE_SECONDS: '1.5',
      ...env,
    })
  return { asked, start }
}

describe.skipIf(process.platform !== 'linux')('an Electron that is not there is fetched', () => {
  it('with progress, checked, unpacked and opened; the next start needs no network', async () => {
    const project = launchProject()
    const { version } = JSON.parse(project.read('../stock/electron/package.json')) as { version: string }
    const zip = storedZip({ electron: '#!/bin/sh\necho "electron $*"\n', version })
    const { asked, start } = await mirrored((request, response) => {
      if (ARCHIVE.test(request.url ?? '')) response.setHeader('Content-Length', zip.length).end(zip)
      else {
        const name = asked[0]?.split('/').at(-1)
        response.end(`${createHash('sha256').update(zip).digest('hex')} *${name}\n`)
      }
    })
    const first = await start(project)
    expect(first.stderr).toMatch(/Downloading electron-v[\s\S]*100 %/)
    expect(first.stdout).toBe(`electron ${project.root} --no-sandbox\n`)
    const before = asked.length
    expect((await start(project)).stdout).toBe(first.stdout)
    expect(asked.length).toBe(before)
  })

  it('an archive that is not the one released is not used', async () => {
    const { start } = await mirrored((request, response) => {
      if (ARCHIVE.test(request.url ?? '')) response.end(storedZip({ electron: 'evil' }))
      else response.end(`${'0'.repeat(64)} *electron.zip\n`)
    })
    const { stdout } = await start(launchProject())
    expect(stdout).toContain('"serve"')
  })

  const halfway: RequestListener = (_request, response) =>
    response.setHeader('Content-Length', 1_000).write('x'.repeat(100))
  it.each<[string, RequestListener, string]>([
    ['does not answer', () => undefined, 'no answer within 2 seconds'],
    ['sends no body', (_request, response) => response.flushHeaders(), 'no answer within 2 seconds'],
    ['stops in the middle', halfway, 'stopped for 1.5 seconds'],
    ['has no such file', (_request, response) => response.writeHead(404).end(), 'answered 404'],
    ['hangs up', (request) => request.socket.destroy(), 'the download failed'],
  ])('when the server %s, that is said, and the browser host opens', async (_name, answer, reason) => {
    const { start } = await mirrored(answer)
    const { code, stdout, stderr } = await start(launchProject())
    expect(stderr.split('\n').filter((line) => line.includes(reason))).toHaveLength(1)
    expect(JSON.parse(stdout).args).toEqual(['serve', '--open'])
    expect(code).toBe(0)
  })

  it('a failure is remembered for the day, tried again the next, and at once when the desktop is demanded', async () => {
    const project = launchProject()
    const { asked, start } = await mirrored((_request, response) => response.writeHead(404).end())
    await start(project)
    expect(asked).toHaveLength(1)
    const again = await start(project)
    expect(asked).toHaveLength(1)
    expect(again.stderr).toContain('tomorrow')
    expect(again.stdout).toContain('"serve"')

    project.write(FAILURE, JSON.stringify({ ...JSON.parse(project.read(FAILURE)), day: '2020-01-01' }))
    await start(project)
    expect(asked).toHaveLength(2)

    expect(await start(project, { ACUSE_HOST: 'desktop' })).toMatchObject({ code: 3, stdout: '' })
    expect(asked).toHaveLength(3)
  })
})
