import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { acuse, main } from '#hosts/cli/main.ts'
import { installFromDebian } from '../../../support/find-chromium.mjs'
import { sharedFolder } from '../../../support/temp-folder.ts'
import { terminalDouble } from '../../../support/terminal-double.ts'
import { words } from '../../../support/words.ts'

const folder = sharedFolder()

async function printed(...args: string[]): Promise<string> {
  const terminal = terminalDouble()
  expect(await main(args, terminal)).toBe(0)
  return terminal.stdout()
}

/** Programs that say what a shell offers for the line in $LINE after it has read the script in $SCRIPT; zsh's editor needs a screen. */
const ASK = {
  bash: [
    ...['bash', '--norc', '-c'],
    `source "$SCRIPT"; cd "$FOLDER"; COMP_LINE=$LINE COMP_POINT=\${#LINE} _acuse; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: [
    ...['zsh', '-f', '-c'],
    `compdef() { : }; _files() { print -l -- *(N) }; compset() { PREFIX=\${PREFIX#*=} }
     compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -l -- \${(M)@:#\${PREFIX}*} }
     cd "$FOLDER"; source "$SCRIPT"; words=("\${(@s: :)LINE}"); CURRENT=$#words PREFIX=$words[-1]; _acuse || true`,
  ],
  fish: ['fish', '--no-config', '-c', 'source "$SCRIPT"; cd "$FOLDER"; complete -C "$LINE"'],
} as const

/** Installs a shell as the browser tests install their browser: Debian's package, for root. */
async function present(shell: string): Promise<boolean> {
  const found = () => spawnSync(shell, ['-c', 'true']).status === 0
  return found() || ((await installFromDebian(shell)) && found())
}
const SHELLS = ['bash', 'zsh', 'fish'] as const
const there = await Promise.all(SHELLS.map(present))

describe.each(SHELLS.filter((_, index) => there[index]))('acuse completion %s', (shell) => {
  /** @returns the words without their descriptions; bash replaces only what follows a colon or an equals sign */
  async function offered(line: string): Promise<readonly string[]> {
    const script = join(folder, `acuse.${shell}`)
    if (!existsSync(script)) writeFileSync(script, await printed('completion', shell))
    const [program, ...args] = ASK[shell]
    const env = { ...process.env, SCRIPT: script, FOLDER: folder, LINE: line }
    const out = execFileSync(program, args, { env, encoding: 'utf8' })
    return out
      .split('\n')
      .filter(Boolean)
      .map((text) => text.replace(/\t.*/, '').replace(/^.*[:=](?=.)/, ''))
  }

  test.each<[line: string, offers: readonly string[], not?: string]>([
    ['acuse ev', ['events'], 'serve'],
    ['acuse sandbox subscriptions ', ['list', 'add', 'set', 'remove'], 'keys'],
    ['acuse events --limit 3 --ne', ['--newest'], '--limit'],
    ['acuse events --json --filter ver', ['verdict:']],
    ['acuse events --filter kind:factura.c', ['factura.created'], 'cobro.registrado'],
    ['acuse wait-for verdict:inv', ['invalid'], 'valid'],
    ['acuse trigger customer.', ['customer.created'], 'factura.created'],
    ['acuse trigger --scenario outage', ['outage-day'], 'month'],
    ['acuse publish cobro', ['cobro.registrado']],
    ['acuse reconcile --route ', ['accounting', 'treasury', 'both'], '--route'],
    ['acuse reconcile --route=tre', ['treasury'], 'both'],
    ['acuse targets set erp --any-certificate ', ['yes', 'no'], '--url'],
    ['acuse completion po', ['powershell']],
    ['acuse validate acuse.', [`acuse.${shell}`]],
    ['acuse events --limit ', []],
  ])('%s', async (line, offers, not = 'nothing') => {
    const found = await offered(line)
    expect(found).toEqual(expect.arrayContaining([...offers]))
    expect(found).not.toContain(not)
    if (offers.length === 0) expect(found).toEqual([])
  })
})

test('acuse completion: offers every command and every option, and refuses another shell', async () => {
  const all = JSON.parse(await printed('completion', 'bash', '--json'))
  for (const command of acuse({ terminal: terminalDouble(), exitWith() {} }).commands) {
    expect(all.acuse).toContainEqual(expect.objectContaining({ word: command.name() }))
    const here = all[`acuse ${command.name()}`].map(({ word }: { word: string }) => word)
    expect(here).toEqual(expect.arrayContaining(command.options.map(({ long }) => long)))
  }
  const terminal = terminalDouble()
  expect(await main(words`completion tcsh`, terminal)).toBe(2)
  expect(terminal.stderr()).toContain('bash, zsh, fish, powershell')
})

test('acuse man: prints a manual page that groff reads without a warning', async () => {
  const page = await printed('man')
  const args = words`-man -ww -Tutf8 -P-c -P-b -P-u`
  const { stdout, stderr, status } = spawnSync('groff', args, { input: page, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  const text = stdout.replace(/\s+/g, ' ')
  for (const command of acuse({ terminal: terminalDouble(), exitWith() {} }).commands)
    expect(text).toContain(`acuse ${command.name()} `)
  expect(text).toContain('--max-bytes <size> the oldest, until the store takes at most this')
  expect(text).toContain('acuse events --filter "kind:factura.* verdict:invalid"')
})
