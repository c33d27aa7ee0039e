import { describe, expect, it } from 'vitest'
import { type LaunchProject, launchProject } from '../../support/launch-project.ts'

/** The tests may run as root without a display, so the script gets one here. */
const DISPLAY = { DISPLAY: ':99' }
const FLAG = '--no-sandbox'
const STOCK = '../stock/electron'
const served = (args: readonly string[]) => ['serve', '--open', ...args]

/** A project whose Electron records its arguments and ends with a code. */
function withElectron(code = 0): LaunchProject {
  const project = launchProject()
  const words = `#!/bin/sh\necho "electron $* [$ELECTRON_RUN_AS_NODE]"\nexit ${code}\n`
  const { version } = JSON.parse(project.read(`${STOCK}/package.json`)) as { version: string }
  project.write(`${STOCK}/dist/electron`, words, 0o755)
  project.write(`${STOCK}/dist/version`, version)
  project.write(`${STOCK}/path.txt`, 'electron')
  return project
}

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  it('opens the desktop app where there is an Electron, with the arguments given', async () => {
    const project = withElectron()
    const env = { ...DISPLAY, ELECTRON_RUN_AS_NODE: '1' }
    const { code, stdout } = await project.run('start.mjs', ['--data', 'x', FLAG], env)
    expect(stdout).toBe(`electron ${project.root} --data x ${FLAG} []\n`)
    expect(code).toBe(0)
  })

  it('opens the browser host when told to, and nothing is downloaded', async () => {
    const env = { ...DISPLAY, ACUSE_HOST: 'browser' }
    const { code, stdout, stderr } = await launchProject().run('start.mjs', ['--data', 'x'], env)
    expect(JSON.parse(stdout).args).toEqual(served(['--data', 'x']))
    expect(stderr).not.toContain('Electron')
    expect(code).toBe(0)
  })

  it('says in one line that there is no display, and opens the browser host', async () => {
    const { stdout, stderr } = await withElectron().run('start.mjs', [FLAG])
    expect(JSON.parse(stdout).args).toEqual(served([]))
    expect(stderr.split('\n').filter((line) => line.includes('no display'))).toHaveLength(1)
  })

  it.each([
    ['desktop', 'no display'],
    ['phone', '"phone"'],
  ])('refuses ACUSE_HOST=%s where it cannot be', async (host, why) => {
    const { code, stdout, stderr } = await withElectron().run('start.mjs', [], { ACUSE_HOST: host })
    expect([code, stdout, stderr]).toEqual([3, '', expect.stringContaining(why)])
  })

  it('opens the browser host when Electron cannot run at all, as with missing libraries', async () => {
    const { stdout, stderr } = await withElectron(127).run('start.mjs', [FLAG], DISPLAY)
    expect(stdout).toContain('"serve"')
    expect(stderr).toContain('127')
  })

  it('does not when Acuse itself could not start: it has said why', async () => {
    const { code, stdout } = await withElectron(3).run('start.mjs', [FLAG], DISPLAY)
    expect(code).toBe(3)
    expect(stdout).not.toContain('serve')
  })
})
