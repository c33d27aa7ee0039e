import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { main } from '#hosts/cli/main.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { terminalDouble } from '../../../support/terminal-double.ts'

const SECRET = 'canary-91ab30'
const BASE = ['--base-url', 'http://127.0.0.1:1']
const DAYS = ['--from', '2026-10-01', '--to', '2026-10-31']
const RECONCILE = ['reconcile', ...BASE, ...DAYS]
const PUBLISH = ['publish', 'cobro.registrado', ...BASE]
interface Around {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** Without a folder of data; publish names it otherwise. */
  readonly bare?: boolean
}

/** In this process, with both credentials at hand: what is wrong with the words is told before any host is looked for. */
async function acuse(args: readonly string[], { env, stdin = '', bare = false }: Around = {}) {
  const terminal = {
    ...terminalDouble({ env: env ?? { ACUSE_API_KEY: SECRET, ACUSE_PLUGIN_TOKEN: SECRET } }),
    readAll: async () => Buffer.from(stdin),
  }
  const flag = args[0] === 'publish' ? '--data-dir' : '--data'
  const data = bare ? [] : [flag, join(tempFolder(), 'data')]
  const code = await main([...args, ...data], terminal)
  const outcome = { code, stdout: terminal.stdout(), stderr: terminal.stderr() }
  expect(outcome.stdout + outcome.stderr).not.toContain(SECRET)
  return outcome
}

describe('wrong usage exits with 2, a sentence on stderr and nothing on stdout, before anything is opened or sent', () => {
  test.each([
    [['reconcile', ...DAYS], 'Say with which account'],
    [['reconcile', ...BASE, '--connection', 'erp', ...DAYS], 'Say with which account'],
    [['reconcile', ...BASE], 'Say which issue dates'],
    [['reconcile', ...BASE, '--from', '2026-10-01'], 'Say which issue dates'],
    [['reconcile', ...BASE, '--route', 'treasury', '--to', '2026-10-01'], 'Give both --from and --to'],
    [['reconcile', ...BASE, '--from', 'yesterday', '--to', '2026-10-01'], '--from: "yesterday" is no date'],
    [['reconcile', ...BASE, '--from', '2026-10-01', '--to', '2026-02-30'], '--to: "2026-02-30" is no date'],
    [['reconcile', '--connection', 'erp', '--from', 'x', '--to', '2026-10-01'], '--from: "x" is no date'],
    [['reconcile', ...BASE, '--from', '2026-10-01T08:00:00', '--to', '2026-10-02'], 'no offset'],
    [['reconcile', ...BASE, '--from', '2026-10-31', '--to', '2026-10-01'], 'earlier'],
    [['reconcile', ...BASE, '--from', '\u001b[31m', '--to', '2026-10-01'], '\\x1b'],
    [[...RECONCILE, '--page-size', '0'], 'whole number from 1 to 500'],
    [[...RECONCILE, '--page-size', '501'], 'whole number from 1 to 500'],
    [[...RECONCILE, '--page-size', 'many'], 'whole number'],
    [[...RECONCILE, '--document-type-id', 'E31'], 'whole number'],
    [[...RECONCILE, '--route', 'all'], 'accounting, treasury, both'],
    [[...RECONCILE, '--fail-on', 'missin'], 'Did you mean missing?'],
    [[...RECONCILE, '--fail-on', 'matched'], 'is no class'],
    [[...RECONCILE, '--fail-on', ','], 'Give classes'],
    [[...RECONCILE, '--report', 'october.pdf'], '.html, .csv, .json, .md'],
    [[...RECONCILE, '--recover-to', '127.0.0.1:3000'], 'http://'],
    [['reconcile', '--base-url', 'ftp://127.0.0.1', ...DAYS], 'http://'],
    [['reconcile', '--base-url', 'http://a:b@127.0.0.1', ...DAYS], 'password'],
    [['reconcile', '--base-url', 'http://127.0.0.1/?x=1', ...DAYS], 'without a query'],
    [['connections', 'set', 'erp'], 'Say what to set'],
    [['connections', 'set', 'ERP', ...BASE], 'a-z'],
    [['connections', 'set', 'erp', '--zone', 'Mars/Olympus'], 'time zone'],
    [['connections', 'set', 'erp', '--kinds', 'fatura.*'], 'Did you mean factura.*'],
    [['connections', 'set', 'erp', '--api-key-env', 'GONE'], 'environment has no GONE'],
    [['connections', 'set', 'erp', '--api-key-env', `${SECRET}=`], 'not the value'],
    [['connections', 'set', 'erp', '--api-key-stdin', '--forget-api-key'], 'Give one of'],
    [['connections', 'set', 'erp', '--api-key-stdin', '--plugin-token-stdin'], 'Only one'],
    [['connections', 'set', 'erp', '--api-key-stdin'], 'empty'],
    [['connections', 'set', 'erp', '--map', 'issued=/a'], '--map takes'],
    [['connections', 'set', 'erp', '--map', 'issuedAt=a'], '--map takes'],
    [['connections', 'set', 'erp', ...BASE, '--map', 'issuedAt=/a~2b'], '"issuedAt=/a~2b" has a "~"'],
    [['connections', 'set', 'erp', ...BASE, '--map', 'issuedAt=/a~'], '"issuedAt=/a~" has a "~"'],
    [['connections', 'set', 'erp', '--document-types', '77'], '"77" is not of the form type=group'],
    [['connections', 'set', 'erp', '--document-types', ''], 'or none: it is empty'],
    [['connections', 'set', 'erp', '--proxy', 'some'], 'http:// or https:// address'],
    [['connections', 'set', 'erp', '--endpoint', 'a', '--all-endpoints'], 'Give either'],
    [['connections', 'set', 'erp', '--plugin-header', 'a b'], 'Not a header name'],
    [['connections', 'test', 'erp', '--route', 'both'], 'accounting, treasury'],
    [['publish', 'cobro.registrado'], 'Say with which account'],
    [['publish', 'cobro.registrad', ...BASE], 'Did you mean cobro.registrado?'],
    [['publish', 'factura.created', ...BASE], 'kind of webhook'],
  ])('acuse %j: %s', async (args, sentence) => {
    const { code, stdout, stderr } = await acuse(args)
    expect(stderr).toContain(sentence)
    expect([code, stdout]).toEqual([2, ''])
  })

  test.each([
    ['{"a":', 'not JSON'],
    ['[1]', 'a JSON object'],
    ['null', 'a JSON object'],
    ['', 'not JSON'],
    [Uint8Array.of(0x7b, 0xff, 0x7d), 'not UTF-8'],
  ])('data of a plugin event that is no JSON object: %j', async (stdin, sentence) => {
    const { code, stdout, stderr } = await acuse([...PUBLISH, '--data', '-'], { stdin })
    expect(stderr).toContain(sentence)
    expect([code, stdout]).toEqual([2, ''])
  })

  test.each([
    [RECONCILE, 'ACUSE_API_KEY'],
    [PUBLISH, 'ACUSE_PLUGIN_TOKEN'],
  ])('acuse %j without a credential says where it belongs', async (args, variable) => {
    const { code, stdout, stderr } = await acuse(args, { env: {} })
    expect(stderr).toContain(variable)
    expect([code, stdout]).toEqual([2, ''])
  })

  test('a credential that no header takes is told without being shown', async () => {
    const { code, stderr } = await acuse(RECONCILE, { env: { ACUSE_API_KEY: `${SECRET}\nX: y` } })
    expect([code, stderr]).toEqual([2, expect.stringContaining('ACUSE_API_KEY: its value')])
  })
})

describe('what cannot be done exits with 3 and a sentence', () => {
  test.each([
    [RECONCILE, 'There is no Acuse data in'],
    [['connections', 'list'], 'There is no Acuse data in'],
    [['connections', 'test', 'erp'], 'There is no Acuse data in'],
    [[...PUBLISH, '--data', 'nowhere.json'], 'nowhere.json cannot be read'],
  ])('acuse %j: %s', async (args, sentence) => {
    const { code, stdout, stderr } = await acuse(args)
    expect(stderr).toContain(sentence)
    expect([code, stdout]).toEqual([3, ''])
  })
  test('a file whose content is no object is told before a host is looked for', async () => {
    const file = join(tempFolder(), 'cobro.json')
    writeFileSync(file, '"text"')
    expect(await acuse([...PUBLISH, '--data', file])).toMatchObject({ code: 2 })
  })
})
