import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dataOf, definitionFor } from '#hosts/service/definitions.ts'
import { runCli, startHost } from '../../../support/host.ts'
import { systemctlStub, toldSystemctl } from '../../../support/systemctl-stub.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

/** Reads words as systemd does: quoted, with backslash, %% and $$. */
const systemdWords = (line: string): readonly string[] =>
  [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
    word.replace(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
  )
const execStart = (unit: string) => systemdWords(/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '')

test('acuse service: installs a unit whose command serves, says how it is, and leaves the data when it goes', async () => {
  const home = tempFolder()
  const env = systemctlStub(home)
  const data = join(home, 'data of 100 % "Ana" $HOME')
  const install = await runCli(
    ['service', 'install', '--data', data, '--receiver-port', '0', '--no-ui', '--json'],
    { env },
  )
  expect(install).toMatchObject({ code: 0, stderr: '' })
  const { file, command } = JSON.parse(install.stdout)
  expect(file).toBe(join(home, 'config/systemd/user/acuse.service'))
  const unit = readFileSync(file, 'utf8')
  expect(execStart(unit)).toEqual(command)
  expect(unit).toMatch(/^Restart=always$/m)
  expect(toldSystemctl(home)).toEqual(
    ['daemon-reload', 'enable acuse.service', 'restart acuse.service'].map((words) => `--user ${words}`),
  )
  expect((await runCli(['service', 'status'], { env })).stdout).toMatch(/^Acuse {5}does not answer$/m)

  // The manager of a real system would start this.
  const [program = '', ...args] = execStart(unit)
  const child = spawn(program, args, { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const status = async () => (await runCli(['service', 'status'], { env })).stdout
  await expect.poll(status, { timeout: 20_000 }).toMatch(/^Acuse {5}takes deliveries$/m)
  expect(await runCli(['service', 'status', '--json'], { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"running":true'),
  })

  const removed = await runCli(['service', 'remove'], { env })
  expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining(`The data stay in ${data}`) })
  expect(toldSystemctl(home).at(-1)).toBe('--user disable --now acuse.service')
  expect([existsSync(file), existsSync(join(data, 'captured.db'))]).toEqual([false, true])
  expect(await runCli(['service', 'remove'], { env })).toMatchObject({ code: 3, stdout: '' })
})

test('acuse service: says when another Acuse has the data folder, but not of the service itself', async () => {
  const home = tempFolder()
  const env = systemctlStub(home)
  const host = await startHost()
  onTestFinished(async () => void (await host.stop()))
  const install = () => runCli(['service', 'install', '--data', host.dataDir], { env })
  expect(await install()).toMatchObject({ code: 0, stderr: expect.stringContaining('Another Acuse uses') })
  // The stand-in calls every installed service active.
  expect(await install()).toMatchObject({ code: 0, stderr: '' })
})

test('acuse service: without systemd it says so, writes the unit, and names the commands', async () => {
  const home = tempFolder()
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), PATH: home }
  const install = await runCli(['service', 'install', '--data', join(home, 'data')], { env })
  expect(install.code).toBe(3)
  for (const said of ['acuse.service is written', 'systemctl --user enable acuse.service'])
    expect(install.stderr).toContain(said)
  const status = await runCli(['service', 'status'], { env })
  expect(status).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^State {5}systemd cannot say \(.+\)$/m),
  })
})

/** Checks that tags nest. @returns the texts of all elements of a name */
function texts(xml: string, name: string): readonly string[] {
  const open: string[] = []
  for (const [, end, tag = '', empty] of xml.matchAll(/<(\/?)([A-Za-z]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (end) expect(open.pop()).toBe(tag)
    else if (!empty) open.push(tag)
  }
  expect(open).toEqual([])
  const read = (text: string) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => read(text))
}

/** Splits a command line as Windows programs do (CommandLineToArgvW), where every word is quoted. */
const windowsWords = (line: string): readonly string[] =>
  [...line.matchAll(/"((?:\\\\|\\"|[^"])*)"(?= |$)/g)].map(([, word = '']) =>
    word.replace(/(\\+)(?="|$)/g, (slashes) => slashes.slice(slashes.length / 2)).replace(/\\"/g, '"'),
  )

const around = { home: '/home/ana', uid: 501, env: { USERDOMAIN: 'OFFICE', USERNAME: 'ana' } }
const dataDir = '/home/ana/R&D <x> --y 50% "q"'
const command = ['/opt/node', '/opt/acuse/cli.js', 'serve', '--data', dataDir, '--origin=https://a.example']

test('acuse service: odd paths survive every format, and each names its data folder', () => {
  const of = (platform: NodeJS.Platform) => definitionFor({ command, dataDir }, { ...around, platform })
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    expect([platform, dataOf(of(platform).content)]).toEqual([platform, dataDir])
  expect(execStart(of('linux').content)).toEqual(command)
  const agent = of('darwin')
  expect(texts(agent.content, 'string').slice(1, -2)).toEqual(command)
  expect(agent.file).toBe('/home/ana/Library/LaunchAgents/acuse.serve.plist')
  expect(agent.start).toEqual([['launchctl', 'bootstrap', 'gui/501', agent.file]])
  // Neither takes new options for a service that runs.
  expect(agent.end).toEqual(agent.stop)
  expect(of('win32').end).toEqual([['schtasks', '/end', '/tn', 'Acuse']])
  const task = of('win32').content
  expect(texts(task, 'UserId')).toEqual(['OFFICE\\ana', 'OFFICE\\ana'])
  expect([texts(task, 'Command'), windowsWords(texts(task, 'Arguments')[0] ?? '')]).toEqual([
    [command[0]],
    command.slice(1),
  ])
  expect(texts(task, 'ExecutionTimeLimit')).toEqual(['PT0S'])
})
