import { rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type LaunchProject, launchProject, wantVersion } from '../../support/launch-project.ts'

const CI = 'npm ci --include=dev --loglevel=notice'

it('the way in on a fresh clone: installs, builds and runs the command; talk is on stderr alone', async () => {
  const project = launchProject()
  const { code, stdout, stderr } = await project.run('run-cli.mjs', ['events', '--json'], { INIT_CWD: '/' })
  expect(project.log()).toEqual([CI, 'build'])
  expect(stderr).toContain('Installing')
  expect(stderr).toContain('Building')
  expect(JSON.parse(stdout)).toMatchObject({ args: ['events', '--json'], cwd: '/' })
  expect(code).toBe(0)
})

it('the way in on a fresh clone: is prepared once when two commands start at the same time', async () => {
  const project = launchProject()
  const both = await Promise.all([project.run('run-cli.mjs'), project.run('run-cli.mjs')])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect(project.log()).toEqual([CI, 'build'])
  // Either may wait, or come when the other has finished.
  expect(both.filter(({ stderr }) => stderr.includes('Installing'))).toHaveLength(1)
})

it('the way in on a fresh clone: takes over from a command that was killed while preparing; the second time it does and says nothing more', async () => {
  const project = launchProject()
  project.write('.preparing', '999999999')
  expect((await project.run('run-cli.mjs')).code).toBe(0)
  expect((await project.run('run-cli.mjs')).stderr).toBe('')
  expect(project.log()).toEqual([CI, 'build'])
})

const SOURCE = 'src/new.ts'
const LOCK = 'node_modules/.package-lock.json'
const NPM_FAILED = /no network[\s\S]*npm ci ended with 1/
it.each<[what: string, change: (project: LaunchProject) => void, again: string]>([
  ['the lockfile names another version', (project) => wantVersion(project, '1.0.1'), CI],
  ['an installation was cut short', ({ root }) => unlinkSync(join(root, LOCK)), CI],
  ['a source is changed', (project) => project.write(SOURCE, 'longer than before'), 'build'],
  ['a source is gone', ({ root }) => unlinkSync(join(root, SOURCE)), 'build'],
  ['a result is missing', ({ root }) => rmSync(join(root, 'out/renderer'), { recursive: true }), 'build'],
])('the way in on a fresh clone: prepares again when %s', async (_what, change, again) => {
  const project = launchProject()
  project.write(SOURCE, '')
  await project.run('run-cli.mjs')
  change(project)
  await project.run('run-cli.mjs')
  expect(project.log().filter((line) => line === again)).toHaveLength(2)
})

it.each<[what: string, spoil: (project: LaunchProject) => void, said: RegExp]>([
  ['npm that fails, after its own words', (project) => project.write('npm-fails', ''), NPM_FAILED],
  ['a Node left out', ({ stock }) => rmSync(join(stock, 'node'), { recursive: true }), /--ignore-scripts/],
  ['a source that does not build', (project) => project.write('src/broken.ts', ''), /unexpected token/],
])('what cannot be prepared is said with exit code 3: %s', async (_what, spoil, said) => {
  const project = launchProject()
  spoil(project)
  const { code, stdout, stderr } = await project.run('run-cli.mjs', ['events'])
  expect([code, stdout, stderr]).toEqual([3, '', expect.stringMatching(said)])
})

it('the command that runs in our place: gives its exit code', async () => {
  expect((await launchProject().run('run-cli.mjs', ['seven'])).code).toBe(7)
})
it('the command that runs in our place: gets our signals', async () => {
  expect((await launchProject().run('run-cli.mjs', ['wait'])).code).toBe(5)
})
