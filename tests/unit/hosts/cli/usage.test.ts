import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, test, vi } from 'vitest'
import { acuse, main } from '#hosts/cli/main.ts'
import { anEvent } from '../../../support/events.ts'
import { runCli } from '../../../support/host.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { terminalDouble } from '../../../support/terminal-double.ts'

const SECRET = 'canary-91ab30'
const ENV = { ACUSE_API_KEY: SECRET, ACUSE_PLUGIN_TOKEN: SECRET }

/** Runs a command line in this process without a data folder: wrong usage must be reported before a host is searched. */
async function cli(
  line: string,
  stdin: string | Uint8Array = '',
  env: Record<string, string> = ENV,
  typed = false,
) {
  vi.stubEnv('ACUSE_DATA', join(tempFolder(), 'data'))
  const terminal = { ...terminalDouble({ env, typed }), readAll: async () => Buffer.from(stdin) }
  const args = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))
  const code = await main(args, terminal)
  const [stdout, stderr] = [terminal.stdout(), terminal.stderr()]
  expect(stdout + stderr).not.toContain(SECRET)
  expect(stderr).not.toMatch(/\n\s+at /)
  return { code, stdout, stderr }
}

async function refused(exit: number, sentence: string, ...run: Parameters<typeof cli>) {
  expect(await cli(...run)).toEqual({ code: exit, stdout: '', stderr: expect.stringContaining(sentence) })
}

function leaves(command: Command, words: readonly string[] = []): readonly (readonly string[])[] {
  const inner = command.commands.flatMap((one) => leaves(one, [...words, one.name()]))
  return inner.length > 0 && words.join(' ') !== 'sandbox' ? inner : [words, ...inner]
}
const ALL = leaves(acuse({ terminal: terminalDouble(), exitWith() {} })).map((words) => words.join(' '))

test('help (architecture, Command line and scripts): names every command and the exit codes, on stdout', async () => {
  const { code, stdout, stderr } = await runCli(['--help'])
  expect([code, stderr]).toEqual([0, ''])
  for (const command of ALL) expect(stdout).toContain(command.split(' ')[0])
  expect(stdout).toContain('Exit codes')
  expect((await runCli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('help: of every command names --json and examples, and takes no key or token itself', async () => {
  expect(ALL.length).toBeGreaterThan(50)
  for (const command of ALL) {
    const { code, stdout, stderr } = await cli(`${command} --help`)
    expect([command, code, stderr]).toEqual([command, 0, ''])
    const parts = [/--json/, /Examples:/, new RegExp(`acuse ${command}`)]
    for (const part of parts) expect(stdout).toMatch(part)
    expect(stdout).not.toMatch(/--(?:api-key|key|plugin-token|token) </)
  }
})

const TO = 'replay --to http://127.0.0.1:3000/'
const ERP = 'connections set erp'
const BASE = '--base-url http://127.0.0.1:1'
const DAYS = '--from 2026-10-01 --to 2026-10-31'
const RECONCILE = `reconcile ${BASE} ${DAYS}`
const PUBLISH = `publish cobro.registrado ${BASE}`
const FAULT = 'faults add --effect hang'

describe('wrong usage exits with 2, a sentence on stderr and nothing on stdout, before anything is opened or sent', () => {
  test.each([
    ['evnets', 'Did you mean events?'],
    ['events --limt 3', 'Did you mean --limit?'],
    ['events --limit many', 'whole number'],
    ['events --limit', 'argument missing'],
    ['events extra', 'too many arguments'],
    ['show', "missing required argument 'id'\nAdd --help"],
    ['show abc', 'whole number'],
    ['annotate 1', 'Name what to write: --note, --tag or --untag.'],
    ['annotate 1 --tag a --untag a', 'Give either --tag a or --untag a.'],
    ['config set receiver.port 1 --yes', '--yes is for retention'],
    ['annotate 1 --tag "two words"', 'without spaces, commas, quotes'],
    [`annotate 1 --note ${'x'.repeat(10_001)}`, '10001 characters; the limit is 10000'],
    ['serve --receiver-port 70000', 'whole number from 0 to 65535'],
    ['serve --secret-header X-Key', 'ACUSE_SECRET'],
    ['config', 'Usage: acuse config'],
    ['config gte', 'Did you mean get?'],
    ['config set receiver.port', 'Give the value once'],
    ['config set reciever.port 1', 'Did you mean receiver.port?'],
    ['config set endpoint.default.secret X-Key', '--from-env'],
    ['config set endpoint.default.secret X-Key --from-env GONE', 'no GONE'],
    ['config set receiver.port 1 --keep-previous', 'for secrets only'],
    ['config unset receiver.port', 'cannot be taken away'],
    ['replay', '--to'],
    [TO, 'Select the deliveries'],
    [`${TO} --id 1 --filter ""`, 'exactly one of'],
    [`${TO} --id x`, 'whole number'],
    ['replay --id 1 --to example.com:3000', 'http://'],
    ['replay --id 1 --to http://a:b@127.0.0.1/', 'password'],
    ['replay --id 1 --to "No Name"', 'name of a target'],
    [`${TO} --id 1 --rate 0`, 'number from 0.01'],
    [`${TO} --id 1 --concurrency 257`, 'whole number from 1 to 256'],
    [`${TO} --id 1 --keep-gaps 11`, 'number from 0.1 to 10'],
    [`${TO} --id 1 --order size`, 'arrival, document'],
    [`${TO} --id 1 --retries -1`, 'whole number'],
    [`${TO} --id 1 --fail-on 6xx`, '404,5xx'],
    [`${TO} --id 1 --include malformed`, 'never sends them'],
    [`${TO} --id 1 --include all`, 'rejected, replay'],
    [`${TO} --id 1 --header X-A`, 'Name: value'],
    [`${TO} --id 1 --header "Host: x"`, 'belongs to the connection'],
    ['listen', 'Name a destination'],
    ['listen --print --filter kind:(', 'column'],
    ['listen --forward-to nowhere/', 'name of a target'],
    ['listen --forward-to http://127.0.0.1:3000/ --when-down wait', 'queue, drop'],
    ['targets set staging', 'Name an option to set'],
    ['targets set Staging --url http://127.0.0.1/', 'a-z'],
    ['targets set staging --secret-header Authorization=GONE', 'environment'],
    ['targets set staging --secret-header Authorization', 'Name=VARIABLE'],
    ['targets set staging --keep-secret maybe', 'yes or no'],
    ['targets set staging --strip "a b"', 'Not a header name'],
    ['forwards set local', 'Name an option to set'],
    ['forwards set local --to example.com:3000', 'http://'],
    ['faults', 'Usage: acuse faults'],
    ['faults add', "required option '--effect"],
    ['faults remove x', 'whole number'],
    ['drift --kind factura.create', 'Did you mean factura.created?'],
    ['drift --reset', '--reset --kind KIND'],
    ['mcp --json', '--json goes with --http'],
    ['schema --format yaml', 'json-schema, openapi, asyncapi, typescript, zod, markdown'],
    ['schema --kind factura.create', 'Did you mean factura.created?'],
    ['schema --openapi 3.2', '--format openapi'],
    ['schema --format openapi --openapi 3.0', '3.1, 3.2'],
    ['schema --observed --format zod', 'json-schema'],
    ['trigger', 'Name one kind of event'],
    ['trigger factura.create', 'Did you mean factura.created?'],
    ['trigger factura.created --scenario month', 'Name one kind of event'],
    ['trigger factura.created --set x', '--set takes'],
    ['trigger factura.created --set /data/StatusId=five', 'is not JSON'],
    ['trigger factura.created --url nowhere', '--url:'],
    ['trigger --scenario nothing --url http://127.0.0.1:1/', 'nothing'],
    [`reconcile ${DAYS}`, 'Name the account'],
    [`reconcile ${BASE} --connection erp ${DAYS}`, 'Name the account'],
    [`reconcile ${BASE}`, 'Give the issue dates'],
    [`reconcile ${BASE} --from 2026-10-01`, 'Give the issue dates'],
    [`reconcile ${BASE} --route treasury --to 2026-10-01`, 'Give both --from and --to'],
    [`reconcile ${BASE} --from yesterday --to 2026-10-01`, '--from: "yesterday" is not a date'],
    [`reconcile ${BASE} --from 2026-10-01T08:00:00 --to 2026-10-02`, 'no offset'],
    [`reconcile ${BASE} --from 2026-10-31 --to 2026-10-01`, 'earlier'],
    [`reconcile ${BASE} --from \u001b[31m --to 2026-10-01`, '\\x1b'],
    [`${RECONCILE} --page-size 501`, 'whole number from 1 to 500'],
    [`${RECONCILE} --route all`, 'accounting, treasury, both'],
    [`${RECONCILE} --fail-on missin`, 'Did you mean missing?'],
    [`${RECONCILE} --fail-on matched`, 'is not a class'],
    [`${RECONCILE} --fail-on ,`, 'Give classes'],
    [`${RECONCILE} --report october.pdf`, '.html, .csv, .json, .md'],
    [`${RECONCILE} --recover-to example.com:3000`, 'http://'],
    [`reconcile --base-url http://a:b@127.0.0.1 ${DAYS}`, 'password'],
    [`reconcile --base-url http://127.0.0.1/?x=1 ${DAYS}`, 'without a query'],
    [ERP, 'Name an option to set'],
    [`connections set ERP ${BASE}`, 'a-z'],
    [`${ERP} --zone Mars/Olympus`, 'time zone'],
    [`${ERP} --kinds fatura.*`, 'Did you mean factura.*'],
    [`${ERP} --api-key-env GONE`, 'environment has no GONE'],
    [`${ERP} --api-key-env ${SECRET}=`, 'not the value'],
    [`${ERP} --api-key-stdin`, 'empty'],
    [`${ERP} --map issued=/a`, '--map takes'],
    [`${ERP} --map issuedAt=a`, '--map takes'],
    [`${ERP} ${BASE} --map issuedAt=/a~2b`, '"issuedAt=/a~2b" has a "~"'],
    [`${ERP} ${BASE} --map issuedAt=/a --map issuedAt=/b`, 'issuedAt twice'],
    [`${ERP} --document-types 77`, '"77" is not of the form type=group'],
    [`${ERP} --document-types \u001b=factura`, '"\\x1b" is not a document type'],
    [`${ERP} --proxy some`, 'http:// or https:// address'],
    [`${ERP} --plugin-header "a b"`, 'Not a header name'],
    ['connections test erp --route both', 'accounting, treasury'],
    ['publish cobro.registrado', 'Name the account'],
    [`publish cobro.registrad ${BASE}`, 'Did you mean cobro.registrado?'],
    [`publish factura.created ${BASE}`, 'kind of webhook'],
  ])('acuse %s: %s', (line, sentence) => refused(2, sentence, line))

  test.each(
    [
      ...['serve', 'service install', 'follow --log x'].flatMap((line) =>
        ['ui-port 1', 'origin https://a.example'].map((option) => `${line} --no-ui :: --${option}`),
      ),
      ...['follow --log x', 'serve'].map((line) => `${line} --no-ui :: --open`),
      ...['serve', 'receive --log x', 'service install'].flatMap((line) =>
        ['cert x.pem', 'key x.pem'].map((option) => `${line} --tls-generated :: --tls-${option}`),
      ),
      'events --json :: --wide',
      'jobs show 1 --attempts :: --failed',
      'drift --events :: --markdown',
      'drift --markdown :: --reset',
      'drift --json :: --markdown',
      'drift --reset --all :: --kind factura.created',
      'trigger --scenario month :: --set /a=1',
      'trigger --from 1 :: --scenario month',
      'trigger --from 1 :: --seed 1',
      'trigger --list :: --data x',
      'targets set a --strip X :: --strip-nothing',
      'alerts set a --to http://127.0.0.1:9/ :: --program x.sh',
      ...['hours 08:00-18:00', 'days mon', 'zone UTC'].map((one) => `alerts set a --always :: --${one}`),
      ...['--at 06:30', '--days mon'].map((one) => `connections schedule erp --every 60 :: ${one}`),
      'connections schedule erp --on :: --off',
      ...['stdin', 'env X'].map((one) => `${ERP} --forget-api-key :: --api-key-${one}`),
      ...['stdin', 'env X'].map((one) => `${ERP} --forget-plugin-token :: --plugin-token-${one}`),
      `${ERP} --api-key-stdin :: --plugin-token-stdin`,
      `${ERP} --endpoint a :: --all-endpoints`,
      `${ERP} --map issuedAt=/a :: --forget-mapping`,
      `${ERP} --ignore-field a :: --ignore-nothing`,
      'config set a.b c --from-env X :: --stdin',
      'sandbox plugins install --url http://127.0.0.1:9 :: --no-url',
      'sandbox plugins set 2 --active :: --inactive',
      'sandbox subscriptions set 2 --active :: --inactive',
    ].map((line) => line.split(' :: ') as [string, string]),
  )('acuse %s excludes %s, in either order', async (line, option) => {
    const [command = ''] = line.split(' --')
    for (const words of [`${line} ${option}`, `${command} ${option}${line.slice(command.length)}`])
      await refused(2, 'Give either --', words)
  })

  test.each([
    ['serve --sandbox-port 0', 'sandbox'],
    ['serve --metrics-host 0.0.0.0', 'metrics-port'],
    ['follow --log x --metrics-host 0.0.0.0', 'metrics-port'],
    ['receive --log x --tls-cert x.pem', 'tls-key'],
    ['service install --tls-key x.pem', 'tls-cert'],
    ['listen --print --answer', 'forward-to'],
    ['listen --print --concurrency 2', 'forward-to'],
    ['listen --print --when-down drop', 'forward-to'],
    [`${TO} --id 1 --retry-delay 5`, 'retries'],
    [`${FAULT} --seed 7`, 'probability'],
    [`${RECONCILE} --unmask`, 'report'],
    [`${RECONCILE} --language es`, 'report'],
    ['drift --all', 'reset'],
    ['mcp --port 4410', 'http'],
    ['trigger factura.created --header "X: 1"', 'url'],
    ['schema --data x', 'observed'],
  ])('acuse %s would do nothing without --%s', (line, needed) => refused(2, ` needs --${needed}: `, line))

  test.each([
    ['events --explain --filter kind:* --limit 1 --reveal', '--limit and --reveal'],
    ['receive --trial --receiver-port 0 --log x --name y --refuse', '--log, --name, and --refuse'],
    ['trigger --list --count 2', '--count'],
    ['trigger --list factura.created', '"factura.created"'],
    ['trigger factura.created --url http://127.0.0.1:1/ --data x', '--data, or --url'],
    ['connections schedule erp --remove --run-now', '--run-now'],
  ])('acuse %s: the sentence says what to leave out: %s', (line, unused) =>
    refused(2, `leave out ${unused}`, line),
  )

  test.each([
    ['{"a":', 'not JSON'],
    ['[1]', 'a JSON object'],
    ['null', 'a JSON object'],
    ['', 'not JSON'],
    [Uint8Array.of(0x7b, 0xff, 0x7d), 'not UTF-8'],
  ])('data of a plugin event that is no JSON object: %j', (stdin, sentence) =>
    refused(2, sentence, `${PUBLISH} --data -`, stdin),
  )

  test.each<[string, Record<string, string>, string]>([
    [RECONCILE, {}, 'ACUSE_API_KEY'],
    [PUBLISH, {}, 'ACUSE_PLUGIN_TOKEN'],
    [RECONCILE, { ACUSE_API_KEY: `${SECRET}\nX: y` }, 'ACUSE_API_KEY: its value'],
  ])('acuse %s without a credential says where it belongs', (line, env, sentence) =>
    refused(2, sentence, line, '', env),
  )
})

test.each([
  ['link', 'No Acuse is running'],
  ['forwards retry local', 'No Acuse is running'],
  [FAULT, 'No Acuse is running'],
  ['events', 'There is no Acuse data in'],
  ['show 1', 'There is no Acuse data in'],
  [`${TO} --id 1`, 'There is no Acuse data in'],
  [RECONCILE, 'There is no Acuse data in'],
  ['trigger factura.created', '"acuse sandbox"'],
  ['sandbox subscriptions list', '"acuse serve --sandbox"'],
  ['validate absent.json', 'absent.json cannot be read: there is no such file.'],
  [`${PUBLISH} --data absent.json`, 'absent.json cannot be read: there is no such file.'],
])('what cannot be done exits with 3 and a sentence: acuse %s: %s', (line, sentence) =>
  refused(3, sentence, line),
)

test('acuse schema: prints each format of all kinds or of one, alone or with --json', async () => {
  for (const [args, start] of [
    ['', '{'],
    ['--format openapi --openapi 3.2', '{\n  "openapi": "3.2.0"'],
    ['--format asyncapi', '{\n  "asyncapi": "3.1.0"'],
    ['--format typescript', '// Types of the webhook events'],
    ['--format zod', '// Zod schemas of the webhook events'],
    ['--format markdown', '# Events'],
  ] as const) {
    const { code, stdout, stderr } = await cli(`schema ${args}`)
    expect([code, stderr, stdout.slice(0, start.length)]).toEqual([0, '', start])
    const one = JSON.parse((await cli(`schema ${args} --kind dgii.rechazado --json`)).stdout)
    expect(one.kind).toBe('dgii.rechazado')
    expect(one.text).toContain('dgii.rechazado')
    expect(one.text.length).toBeLessThan(stdout.length / 2)
  }
})

test('acuse validate: exits with 0 for a valid event, from a file or stdin', async () => {
  const body = JSON.stringify(anEvent('factura.created'))
  const file = join(tempFolder(), 'event.json')
  writeFileSync(file, body)
  for (const outcome of [await cli(`validate ${file} --json`), await cli('validate - --json', body)])
    expect(outcome).toEqual({ code: 0, stderr: '', stdout: '{"verdict":"valid","findings":[]}\n' })
})

test.each([
  ['an event without its data', 'invalid', '{"Event":"factura.created"}'],
  ['half an object', 'unreadable', '{'],
  ['nothing', 'unreadable', ''],
  ['endless nesting', 'unreadable', '['.repeat(200_000)],
])('acuse validate: exits with 1 for %s: %s', async (_, verdict, stdin) => {
  const { code, stdout } = await cli('validate - --json', stdin)
  const { verdict: given, findings } = JSON.parse(stdout)
  expect([code, given, findings.length > 0]).toEqual([1, verdict, true])
  for (const finding of findings)
    expect(Object.keys(finding)).toEqual(expect.arrayContaining(['level', 'code', 'pointer', 'message']))
})

test('acuse validate: says for people where each finding is, and shows controls of the body instead of obeying them', async () => {
  const { code, stdout } = await cli('validate -', '{\n "Event": "\\u001b[2Jno", "Event": 3}')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^-: (invalid|unreadable)\n {2}\d+:\d+ {2}error/)
  expect(stdout).not.toContain('\u001b')
})

test('a command that reads stdin says so to a user who types, and nothing in a pipe', async () => {
  const reading = [
    ['attach', 'Reading the link from stdin'],
    [`${ERP} ${BASE} --api-key-stdin`, 'Reading the api key from stdin'],
    ['config set endpoint.default.secret X-Key --stdin', 'Reading the value from stdin'],
  ] as const
  for (const [line, prompt] of reading) {
    expect((await cli(line, '', ENV, true)).stderr).toContain(prompt)
    expect((await cli(line)).stderr).not.toContain('Reading')
  }
})
