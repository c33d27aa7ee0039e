import { rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launchProject, wantVersion } from '../../support/launch-project.ts'

const CI = 'npm ci --include=dev --loglevel=notice'

describe('the way in on a fresh clone', () => {
  it('installs, builds and runs the command; talk is on stderr alone', async () => {
    const project = launchProject()
    const { code, stdout, stderr } = await project.run('run-cli.mjs', ['events', '--json'], { INIT_CWD: '/' })
    expect(project.log()).toEqual([CI, 'build'])
    expect(stderr).toContain('Installing')
    expect(stderr).toContain('Building')
    expect(JSON.parse(stdout)).toMatchObject({ args: ['events', '--json'], cwd: '/' })
    expect(code).toBe(0)
  })

  it('is prepared once when two commands start at the same time', async () => {
    const project = launchProject()
    const both = await Promise.all([project.run('run-cli.mjs'), project.run('run-cli.mjs')])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(project.log()).toEqual([CI, 'build'])
    expect(both.filter(({ stderr }) => stderr.includes('waiting for it'))).toHaveLength(1)
  })

  it('takes over from a command that was killed while preparing', async () => {
    const project = launchProject()
    project.write('.preparing', '999999999')
    expect((await project.run('run-cli.mjs')).code).toBe(0)
    expect(project.log()).toEqual([CI, 'build'])
  })

  it('does and says nothing more the second time', async () => {
    const project = launchProject()
    await project.run('run-cli.mjs')
    const { stderr } = await project.run('run-cli.mjs')
    expect(stderr).toBe('')
    expect(project.log()).toEqual([CI, 'build'])
  })

  it('installs again when the lockfile names another version', async () => {
    const project = launchProject()
    await project.run('run-cli.mjs')
    wantVersion(project, '1.0.1')
    await project.run('run-cli.mjs')
    expect(project.log().filter((line) => line === CI)).toHaveLength(2)
  })

  it('installs again when an installation was cut short', async () => {
    const project = launchProject()
    await project.run('run-cli.mjs')
    unlinkSync(join(project.root, 'node_modules/.package-lock.json'))
    await project.run('run-cli.mjs')
    expect(project.log().filter((line) => line === CI)).toHaveLength(2)
  })

  it.each([
    ['changed', (root: string) => writeFileSync(join(root, 'src/new.ts'), 'longer than before')],
    ['gone', (root: string) => unlinkSync(join(root, 'src/new.ts'))],
  ])('builds again when a source is %s', async (_how, change) => {
    const project = launchProject()
    project.write('src/new.ts', '')
    await project.run('run-cli.mjs')
    change(project.root)
    await project.run('run-cli.mjs')
    expect(project.log()).toEqual([CI, 'build', 'build'])
  })

  it('builds again when a result is missing', async () => {
    const project = launchProject()
    await project.run('run-cli.mjs')
    rmSync(join(project.root, 'out/renderer'), { recursive: true })
    await project.run('run-cli.mjs')
    expect(project.log().at(-1)).toBe('build')
    expect(project.log()).toHaveLength(3)
  })
})

describe('what cannot be prepared', () => {
  it('npm that fails is said, after its own words, with exit code 3', async () => {
    const project = launchProject()
    project.write('npm-fails', '')
    const { code, stdout, stderr } = await project.run('run-cli.mjs', ['events'])
    expect(code).toBe(3)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/no network[\s\S]*npm ci ended with 1/)
  })

  it('a Node left out by --ignore-scripts is said, instead of running under another one', async () => {
    const project = launchProject()
    rmSync(join(project.stock, 'node'), { recursive: true })
    const { code, stderr } = await project.run('run-cli.mjs', ['events'])
    expect(code).toBe(3)
    expect(stderr).toContain('--ignore-scripts')
  })

  it('a source that does not build is said with the words of the bundler', async () => {
    const project = launchProject()
    project.write('src/broken.ts', '')
    const { code, stdout, stderr } = await project.run('run-cli.mjs', ['events'])
    expect(code).toBe(3)
    expect(stdout).toBe('')
    expect(stderr).toContain('unexpected token')
  })
})

describe('the command that runs in our place', () => {
  it('gives its exit code', async () => {
    expect((await launchProject().run('run-cli.mjs', ['seven'])).code).toBe(7)
  })
  it('gets our signals', async () => {
    expect((await launchProject().run('run-cli.mjs', ['wait'])).code).toBe(5)
  })
})
