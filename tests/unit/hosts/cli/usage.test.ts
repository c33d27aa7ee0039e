import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { acuse, main } from '#hosts/cli/main.ts'
import { runCliHere } from '../../../support/cli-here.ts'
import { anEvent } from '../../../support/events.ts'
import { runCli } from '../../../support/host.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { terminalDouble } from '../../../support/terminal-double.ts'

/** Every command that can be run, by its words. */
function leaves(command: Command, words: readonly string[] = []): readonly (readonly string[])[] {
  const inner = command.commands.flatMap((one) => leaves(one, [...words, one.name()]))
  return inner.length > 0 && words[0] !== 'sandbox' ? inner : [words, ...inner]
}
const ALL = leaves(acuse({ terminal: terminalDouble(), exitWith() {} }))
  .filter(
    (words) => !['', 'sandbox subscriptions', 'sandbox keys', 'sandbox plugins'].includes(words.join(' ')),
  )
  .map((words) => words.join(' '))

describe('help (architecture, Command line and scripts)', () => {
  test('names every command and the exit codes, on stdout', async () => {
    const { code, stdout, stderr } = await runCli(['--help'])
    expect([code, stderr]).toEqual([0, ''])
    for (const name of [
      'serve',
      'link',
      'config',
      'events',
      'show',
      'validate',
      'replay',
      'listen',
      'Exit codes',
    ])
      expect(stdout).toContain(name)
  })

  test('of every command names the folder, --json and examples, and takes no key or token itself', async () => {
    expect(ALL.length).toBeGreaterThan(50)
    for (const command of ALL) {
      const terminal = terminalDouble()
      expect([command, await main([...command.split(' '), '--help'], terminal)]).toEqual([command, 0])
      const parts = [/--data(?:-dir)? <dir>/, /--json/, /Examples:/, new RegExp(`acuse ${command}`)]
      for (const part of parts) expect(terminal.stdout()).toMatch(part)
      expect(terminal.stdout()).not.toMatch(/--(?:api-key|key|plugin-token|token) </)
      expect(terminal.stderr()).toBe('')
    }
  })

  test('the version is printed', async () => {
    expect(await runCli(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })
})

describe('wrong usage exits with 2, a sentence on stderr and nothing on stdout', () => {
  test.each([
    [[], 'Usage: acuse'],
    [['evnets'], 'Did you mean events?'],
    [['events', '--limt', '3'], 'Did you mean --limit?'],
    [['events', '--limit', 'many'], 'whole number'],
    [['events', '--limit', '-1'], 'whole number'],
    [['events', '--limit'], 'argument missing'],
    [['events', 'extra'], 'too many arguments'],
    [['show'], 'missing required argument'],
    [['show', 'abc'], 'whole number'],
    [['show', '0'], 'whole number'],
    [['validate'], 'missing required argument'],
    [['serve', '--receiver-port', '70000'], 'whole number from 0 to 65535'],
    [['serve', '--ui-port', 'x'], 'whole number'],
    [['serve', '--secret-header', 'X-Key'], 'ACUSE_SECRET'],
    [['config'], 'Usage: acuse config'],
    [['config', 'gte'], 'Did you mean get?'],
    [['config', 'set', 'receiver.port'], 'Give the value once'],
    [['config', 'set', 'receiver.port', '1', '--stdin'], 'Give the value once'],
    [['config', 'set', 'reciever.port', '1'], 'Did you mean receiver.port?'],
    [['config', 'set', 'receiver.port', '70000'], 'receiver.port'],
    [['config', 'set', 'endpoint.default.secret', 'X-Key'], '--from-env'],
    [['config', 'set', 'endpoint.default.secret', 'X-Key', '--from-env', 'GONE'], 'no GONE'],
    [['config', 'set', 'receiver.port', '1', '--keep-previous'], 'for secrets only'],
    [['config', 'unset', 'receiver.port'], 'cannot be taken away'],
    [['config', 'apply'], 'missing required argument'],
  ])('acuse %j: %s', async (args, sentence) => {
    const { code, stdout, stderr } = await runCliHere(args, {
      env: { ACUSE_DATA: join(tempFolder(), 'data') },
    })
    expect(stderr).toContain(sentence)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).not.toMatch(/\n\s+at /)
  })
})

describe('what cannot be done exits with 3 and a sentence', () => {
  test.each([
    [['link'], 'No Acuse is running'],
    [['events'], 'There is no Acuse data in'],
    [['show', '1'], 'There is no Acuse data in'],
    [['validate', 'absent.json'], 'absent.json cannot be read: there is no such file.'],
    [['config', 'apply', 'absent.json'], 'absent.json cannot be read: there is no such file.'],
  ])('acuse %j: %s', async (args, sentence) => {
    const { code, stdout, stderr } = await runCliHere(args, {
      env: { ACUSE_DATA: join(tempFolder(), 'data') },
    })
    expect(stderr).toContain(sentence)
    expect([code, stdout]).toEqual([3, ''])
  })
})

describe('acuse validate', () => {
  test('exits with 0 for a valid event, from a file or stdin', async () => {
    const body = JSON.stringify(anEvent('factura.created'))
    const file = join(tempFolder(), 'event.json')
    writeFileSync(file, body)
    for (const outcome of [
      await runCli(['validate', file, '--json']),
      await runCli(['validate', '-', '--json'], { stdin: body }),
    ]) {
      expect(outcome).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(outcome.stdout)).toEqual({ verdict: 'valid', findings: [] })
    }
  })

  test.each([
    ['an event without its data', 'invalid', '{"Event":"factura.created"}'],
    ['half an object', 'unreadable', '{'],
    ['nothing', 'unreadable', ''],
    ['endless nesting', 'unreadable', '['.repeat(200_000)],
  ])('exits with 1 for %s: %s', async (_, verdict, stdin) => {
    const { code, stdout } = await runCli(['validate', '-', '--json'], { stdin })
    const printed = JSON.parse(stdout)
    expect([code, printed.verdict]).toEqual([1, verdict])
    expect(printed.findings.length).toBeGreaterThan(0)
    for (const finding of printed.findings)
      expect(Object.keys(finding)).toEqual(expect.arrayContaining(['level', 'code', 'pointer', 'message']))
  })

  test('says for people where each finding is, and shows controls of the body instead of obeying them', async () => {
    const { code, stdout } = await runCli(['validate', '-'], {
      stdin: '{\n "Event": "\\u001b[2Jno", "Event": 3}',
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^-: (invalid|unreadable)\n {2}\d+:\d+ {2}error/)
    expect(stdout).not.toContain('\u001b')
  })
})
