import { expect, test } from 'vitest'
import type { Language } from '#catalog/text.ts'
import type { Params, Result } from '#contract/commands.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import type { DocumentRow, ReportParams } from '#contract/reconcile.ts'
import { sweepReport } from '#hosts/reconcile/report.ts'
import type { AskComparison } from '#interop/report/model.ts'
import { aRow, aSummary } from '../../interop/report/samples.ts'
import { business, ranged } from './support.ts'

test('a report of a real sweep, in every form and both languages', { tags: 'long' }, async () => {
  const house = await business()
  const { call } = house
  await house.client.admin('PUT', '/laboratory', { lose: { share: 0.2 }, seed: 11 })
  await house.play('month', 60)
  const { id } = await call('sweeps.start', { connection: 'main', range: ranged() })
  await house.sweep(id, 'complete')
  const { counts } = await call('reconciliation.summary', { sweep: id })
  const { matched, ...others } = counts
  const found = Object.values(others).reduce((sum, count) => sum + count)
  const classes = ['missing'] as const
  const { rows } = await call('reconciliation.rows', { sweep: id, classes, from: 0, limit: 1_000 })
  const party = rows.find((row) => row.party)?.party ?? expect.fail('no row has a party')

  const report = (format: ReportParams['format'], language: Language, more = {}) =>
    call('reconciliation.report', { sweep: id, format, language, ...more })
  const html = await report('html', 'es')
  const name = `acuse-main-barrido-${id}.html`
  expect(html).toMatchObject({ name, mediaType: 'text/html', listed: found, unlisted: 0 })
  expect(html.text).toContain('<html lang="es">')
  for (const { number } of rows) expect(html.text).toContain(number)
  expect(html.text).not.toContain(party)
  const csv = await report('csv', 'en', { unmask: true })
  expect(csv.name).toBe(`acuse-main-sweep-${id}.csv`)
  expect(csv.text.trimEnd().split('\r\n')).toHaveLength(found + 1)
  expect(csv.text).toContain(party)
  const covered = await report('csv', 'es')
  expect(covered.text.trimEnd().split('\r\n')).toHaveLength(found + 1)
  const json = await report('json', 'en')
  expect(JSON.parse(json.text)).toMatchObject({
    ...{ acuse: '0.0.0-test', masked: true, connection: { name: 'main', baseUrl: house.sandbox.url } },
    reconciliations: [{ counts, unlisted: 0 }],
  })
  const markdown = await report('markdown', 'en')
  expect(markdown).toMatchObject({ name: `acuse-main-sweep-${id}.md`, mediaType: 'text/markdown' })
  for (const { text } of [html, csv, covered, json, markdown])
    expect(text).not.toContain(house.sandbox.apiKey)
  const personal = await personalValues(house)
  expect(personal.length).toBeGreaterThan(60)
  for (const { text } of [html, covered, json, markdown])
    expect(personal.filter((one) => text.includes(one))).toEqual([])
})

const PERSONAL = /^(?:Customer|Supplier)(?:Name|TaxId|Phone|Email|Address)$|^LegalName$|^TaxIdentification$/
async function personalValues({ call }: Awaited<ReturnType<typeof business>>): Promise<string[]> {
  const { rows } = await call('deliveries.scan', { filter: '', after: null, limit: 1_000 })
  const found = new Set<string>()
  for (const { id } of rows) {
    const { bytesBase64 } = await call('deliveries.body', { id, view: 'raw', from: 0, length: 1_000_000 })
    const { data } = JSON.parse(Buffer.from(bytesBase64, 'base64').toString())
    for (const [field, value] of Object.entries(data))
      if (PERSONAL.test(field) && typeof value === 'string' && value !== '') found.add(value)
  }
  return [...found]
}

function many(count: number): AskComparison {
  const rows: DocumentRow[] = Array.from({ length: count }, (_, n) =>
    aRow({ key: `k${n}`, number: `E31${String(n).padStart(10, '0')}` }),
  )
  const { counts, ...summary } = aSummary()
  const answers = {
    'reconciliation.summary': () => ({ ...summary, counts: { ...counts, missing: count, differs: 0 } }),
    'reconciliation.rows': ({ from, limit }: Params<'reconciliation.rows'>) => {
      return { rows: rows.slice(from, from + limit), from, total: count }
    },
    'reconciliation.document': ({ key }: Params<'reconciliation.document'>) => ({
      row: rows.find((row) => row.key === key),
      ...{ differences: [], evidence: [], deliveries: [], item: null, otherItem: null, mapping: null },
    }),
  }
  return async (command, params) => answers[command](params as never) as Result<typeof command>
}

test.each([
  ['html', 'sweep', 'en', 'Only the first 3 are listed, by issue date; the other 2 are counted above.'],
  ['markdown', 'barrido', 'es', 'Solo se listan los primeros 3, por fecha de emisión; los otros 2'],
  ['json', 'sweep', 'en', '"unlisted": 2'],
  ['csv', 'barrido', 'es', '-primeros-3.csv'],
] as const)('%s: what is beyond the bound is counted, and said', async (format, word, language, said) => {
  const connection = { ...DEFAULT_CONNECTION, name: '../Ñandú & Cía.', baseUrl: 'http://127.0.0.1:1' }
  const parts = { call: many(5), connection, version: '0', now: 0, most: 3 }
  const file = await sweepReport(parts, { sweep: 7, format, language })
  expect(file).toMatchObject({ listed: 3, unlisted: 2 })
  expect(file.text).toContain('E310000000002')
  expect(file.text).not.toContain('E310000000003')
  expect(`${file.text}\n${file.name}`).toContain(said)
  expect(file.name).toMatch(new RegExp(`^acuse-[\\w-]+-${word}-7-\\w+-3\\.\\w+$`))
})
