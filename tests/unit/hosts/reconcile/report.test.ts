import { expect, test } from 'vitest'
import type { Params, Result } from '#contract/commands.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import type { DocumentRow } from '#contract/reconcile.ts'
import { sweepReport } from '#hosts/reconcile/report.ts'
import type { AskComparison } from '#interop/report/model.ts'
import { aRow, aSummary } from '../../interop/report/samples.ts'

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
