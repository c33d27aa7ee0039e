import { execFile, execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { cliHost, jsonLines } from '../../../support/cli-host.ts'
import { anEvent } from '../../../support/events.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { CLI, outcomeOf, spawnCli } from '../../../support/host.ts'
import { sharedFolder } from '../../../support/temp-folder.ts'
import { until } from '../../../support/until.ts'
import { words } from '../../../support/words.ts'

const SECRET = 'canary-5e1f77'
const { acuse, json, post, host } = cliHost({ secret: SECRET })
const folder = sharedFolder()
const body = (kind: (typeof KINDS)[number]['kind']) =>
  JSON.stringify(anEvent(kind)).replace('1250.5', '1250.50')

beforeAll(async () => {
  for (const { kind } of KINDS) await post(`/?token=${SECRET}`, body(kind), { Authorization: SECRET })
})

test('acuse export: the file has its name only when it is whole, and only its owner may read it', async () => {
  const out = join(folder, 'all.ndjson')
  const { printed, said } = { printed: await json(['export', '--out', out]), said: '' }
  expect([printed, said]).toEqual([{ file: out, format: 'ndjson', deliveries: KINDS.length }, ''])
  expect(jsonLines(readFileSync(out, 'utf8')).length).toBe(KINDS.length)
  if (process.platform !== 'win32') expect(statSync(out).mode & 0o777).toBe(0o600)
  for (const [file, reason] of [
    [join(folder, 'none', 'x.csv'), 'there is no such folder'],
    [folder, 'Say the format'],
  ] as const)
    expect((await acuse(['export', '--out', file])).stderr).toContain(reason)
  expect(readdirSync(folder)).toEqual(['all.ndjson'])
})

test('acuse export: writes through a link and into a pipe, and replaces neither', async () => {
  if (process.platform === 'win32') return
  const [real, link, pipe] = [
    join(folder, 'real.ndjson'),
    join(folder, 'link.ndjson'),
    join(folder, 'pipe.ndjson'),
  ]
  writeFileSync(real, 'old')
  symlinkSync(real, link)
  execFileSync('mkfifo', [pipe])
  const read = readFile(pipe, 'utf8')
  for (const out of [link, pipe]) await acuse(['export', '--out', out])
  expect([lstatSync(link).isSymbolicLink(), lstatSync(pipe).isFIFO()]).toEqual([true, true])
  for (const text of [readFileSync(real, 'utf8'), await read])
    expect(jsonLines(text).length).toBe(KINDS.length)
})

test('output that the disk does not take whole is a failure', async () => {
  if (process.platform === 'win32') return
  const out = join(folder, 'limited')
  // A limit of the file's size stops a write in the middle, as a full disk does.
  const limited = (args: string) =>
    promisify(execFile)('sh', [
      '-c',
      `trap '' XFSZ; ulimit -f 16; exec "$0" "$1" ${args}`,
      process.execPath,
      CLI,
    ])
  await expect(limited(`schema > '${out}'`)).rejects.toMatchObject({
    code: 3,
    stderr: 'Stdout cannot be written: it would be too large.\n',
  })
  expect(statSync(out).size).toBeGreaterThan(0)
})

test('acuse export: writes to stdout, and refuses options that would change nothing', async () => {
  const { stdout } = await acuse(['export', 'kind:dgii.*', '--format', 'csv', '--columns', 'kind,id'])
  expect(stdout.split('\r\n').slice(0, 2)).toEqual(['\ufeffkind,id', 'dgii.aprobado,16'])
  for (const [line, reason] of [
    ['export --format csv --bodies', '--bodies goes with --format ndjson'],
    ['export --format ndjson --columns id', '--columns goes with --format csv'],
    ['export --format ndjson --json', '--json needs --out FILE'],
    ['export --format csv --id 1 --document x', 'Give one of a filter'],
    ['export --format csv --columns idd', 'Did you mean id?'],
    ['export', 'Say the format with --format'],
    ['export kind:( --format csv', 'kind:'],
  ] as const)
    expect([line, await acuse(line.split(' '))]).toMatchObject([
      line,
      { code: 2, stdout: '', stderr: expect.stringContaining(reason) },
    ])
  expect((await acuse(words`export --format csv --sweep 4`)).code).toBe(3)
})

test('acuse export: what a job sent, and the documents of a sweep', async () => {
  const hook = await hookReceiver()
  const exported = async (...source: readonly string[]) => {
    const { stdout } = await acuse(['export', '--format', 'ndjson', ...source])
    return jsonLines(stdout)
  }
  await acuse(words`replay --filter kind:dgii.* --to ${hook.url}`)
  const [{ id: job }] = (await json(words`jobs list`)).jobs
  expect((await exported('--job', String(job))).map(({ kind }) => kind)).toEqual(
    KINDS.flatMap(({ kind }) => (kind.startsWith('dgii.') ? [kind] : [])),
  )
  const [{ documentId }] = await exported('kind:factura.created')
  const items = [{ DocumentId: documentId, IssuedAt: '2026-10-05T08:00:00-04:00', Number: 'E310000000001' }]
  const service = await hookReceiver((_, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ items, count: 1, hasMore: false }))
  })
  const account = words`connections set erp --base-url ${service.url} --api-key-env KEY`
  await acuse(account, { env: { KEY: 'k' } })
  await acuse(words`reconcile --connection erp --from 2026-10-01 --to 2026-10-31`)
  const swept = await exported('--sweep', '1')
  expect(swept.length).toBeGreaterThan(0)
  expect(new Set(swept.map((one) => one.documentId))).toEqual(new Set([documentId]))
})

test('acuse import: takes in files and folders, and reports bad records with exit code 1', async () => {
  const payloads = join(folder, 'payloads')
  mkdirSync(payloads)
  writeFileSync(join(payloads, 'a.json'), body('customer.created'))
  writeFileSync(join(payloads, 'b.json'), 'hello')
  const { code, stdout, stderr } = await acuse(['import', payloads, '--json', '--endpoint', 'files'])
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { imported: 1, duplicates: 0, bad: 1 }])
  expect(stderr).toContain('b.json: file: It is neither JSON nor')
  expect((await acuse(['import', join(folder, 'none')])).stderr).toContain('there is no such file')
  const all = jsonLines((await acuse(words`events --json --filter is:imported`)).stdout)
  expect(all).toMatchObject([{ endpoint: 'files', marks: expect.arrayContaining(['imported']) }])
})

test('commands read a session file that --data names, and refuse to change it', {
  tags: 'long',
}, async () => {
  const file = join(folder, 'some.acuse')
  await acuse(['export', 'kind:dgii.*', '--out', file])
  const [bytes, { mtimeMs }] = [readFileSync(file), statSync(file)]
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  const own = jsonLines((await acuse(words`events --json --filter kind:dgii.*`)).stdout)
  const there = jsonLines((await acuse(['events', '--json', '--data', file])).stdout)
  expect(there.map(({ id, kind, verdict }) => ({ id, kind, verdict }))).toEqual(
    own.map(({ id, kind, verdict }) => ({ id, kind, verdict })),
  )
  const { id } = there[0] ?? {}
  expect((await acuse(['show', String(id), '--data', file])).stdout).toContain('dgii.')
  for (const line of [
    `annotate ${id} --note x`,
    `replay --id ${id} --to http://127.0.0.1:9/`,
    'prune --keep 1',
  ])
    expect([line, await acuse([...line.split(' '), '--data', file])]).toMatchObject([
      line,
      { code: 3, stderr: expect.stringContaining(`This is the session ${file}, opened read-only.`) },
    ])
  writeFileSync(join(folder, 'bad.acuse'), 'hello')
  for (const args of [
    ['open', join(folder, 'bad.acuse')],
    ['events', '--data', join(folder, 'bad.acuse')],
  ])
    expect(await acuse(args)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/bad\.acuse is no session file that Acuse can read/),
    })
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect(statSync(file).mtimeMs).toBe(mtimeMs)
  expect(readdirSync(folder).filter((name) => name.startsWith('some.'))).toEqual(['some.acuse'])
})

test('acuse backup: names the copy and refuses a folder with files', async () => {
  const copy = join(folder, 'copy')
  expect(await json(['backup', copy])).toMatchObject({ folder: copy })
  expect(await acuse(['backup', copy])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('is not empty'),
  })
  expect(host().dataDir).not.toBe(copy)

  const torn = join(folder, 'torn')
  mkdirSync(torn)
  for (const name of ['unfinished-backup', 'captured.db', 'captured.db-journal'])
    writeFileSync(join(torn, name), 'what a killed backup left')
  expect(await json(['backup', torn])).toMatchObject({ folder: torn })
  expect(readdirSync(torn).sort()).toEqual(readdirSync(copy).sort())
})

test('acuse trigger --from: every kind goes out again, equal but for the paths set', async () => {
  const hook = await hookReceiver()
  for (const [at, { kind }] of KINDS.entries()) {
    expect(
      (await acuse(['trigger', '--from', String(at + 1), '--url', hook.url, '--set', '/data/Note=1.50']))
        .code,
    ).toBe(0)
    const sent = body(kind)
    expect(hook.received[at]?.body.toString()).toBe(
      `${sent.slice(0, -2)}${sent.endsWith('{}}') ? '' : ','}"Note":1.50}}`,
    )
  }
  expect(hook.received.length).toBe(28)
  expect(await acuse(['trigger', '--from', '1', '--url', hook.url, '--set', '/none/x=1'])).toMatchObject({
    code: 2,
  })
  expect(await acuse(['trigger', 'dgii.aprobado', '--from', '1', '--url', hook.url])).toMatchObject({
    code: 2,
  })
})

test('acuse import: counts what is stored when the user stops it', { tags: 'long' }, async () => {
  const file = join(folder, 'stopped.ndjson')
  const record = (at: number) => {
    const receivedAt = `2026-10-01T12:00:00.${String(at).padStart(6, '0')}Z`
    return JSON.stringify({ receivedAt, method: 'POST', url: '/stopped', size: 2, body: '{}' })
  }
  writeFileSync(file, Array.from({ length: 60_000 }, (_, at) => record(at)).join('\n'))
  const stored = async () => {
    const { stdout } = await acuse(['events', '--filter', 'received:2026-10-01', '--json'])
    return stdout === '' ? 0 : jsonLines(stdout).length
  }
  const child = spawnCli(['import', file, '--json', '--data', host().dataDir])
  const ended = outcomeOf(child)
  await until(async () => (await stored()) > 0)
  child.kill('SIGINT')
  const { code, stdout } = await ended
  expect([code, JSON.parse(stdout).imported]).toEqual([3, await stored()])
})
