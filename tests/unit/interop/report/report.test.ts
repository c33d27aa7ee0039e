import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MISS_RULES } from '#contract/values.ts'
import type { Report } from '#interop/report/model.ts'
import { REPORT_FORMATS, writeReport } from '#interop/report/write.ts'
import { forAll } from '../../../support/for-all.ts'
import { aDocument, aReport, aRow, aSummary, aSweep, cellsOf } from './samples.ts'

const withText = (text: string, masked = false): Report =>
  aReport({
    masked,
    sections: [
      {
        summary: aSummary({ atStake: [{ currency: text, amount: '1.00', documents: 1 }] }),
        documents: [
          {
            ...aDocument(),
            row: aRow({
              ...{ documentId: text, number: text, party: text, total: text, currency: text },
              ...{ note: text, ignored: text },
            }),
            differences: [{ field: text, captured: text, service: text, ignored: false, shared: false }],
          },
          aDocument({ party: 'Colmado El Sol' }),
        ],
      },
    ],
  })

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</td></tr></table><h1>gone',
  '</style><script>',
  '<!-- ',
  '--> x',
  ']]>',
  '=HYPERLINK("http://evil.example","x")',
  "+1+cmd|' /C calc'!A0",
  '-2+3',
  '@SUM(1)',
  '\t=1+1',
  '\r\n=1+1',
  ' ; =1+1',
  '"; =1+1',
  '",=1+1',
  '%0A=1',
  '＝1+1',
  '| a | b |',
  '\\| a',
  '[x](javascript:alert(1))',
  '![x](http://evil.example/x.png)',
  '`code` ``` ~~~',
  '# title\n\n* item',
  'https://evil.example www.evil.example a@evil.example',
  '&lt;b&gt; &amp;',
  '\u202Etxt.exe',
  '\ud800',
  '\u2028=1',
  '\u0000\u001b[31m',
  '',
]
/** Texts with special meaning in one of the formats, in any order, and arbitrary texts. */
const hostileText = fc.oneof(
  fc.array(fc.constantFrom(...HOSTILE), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  fc.string({ unit: fc.constantFrom(...'<>"\'&=+-@|;,\t\r\n\\`*_[]()!#~ a1') }),
  fc.string({ unit: 'binary' }),
)
const always = (holds: (text: string) => void) => forAll(300, [hostileText], (text) => holds(text))
const tags = (html: string) => html.match(/<[^>]*>?/g)

describe('what stands in documents never breaks out of a report', () => {
  test('HTML: the same tags in the same order, whatever the names are', () => {
    const plain = tags(writeReport(withText('x'), 'html'))
    always((text) => expect(tags(writeReport(withText(text), 'html'))).toEqual(plain))
  })
  test('HTML stands alone: no script, nothing loaded, forbidden by its own policy', () => {
    const html = writeReport(withText('x'), 'html')
    expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none';`)
    expect(html).not.toMatch(/<script|<img|<link|<iframe|\ssrc=|\shref=|\son\w+=|url\(|@import/i)
  })
  test('Markdown: the same lines with the same cells, no markup of its own', () => {
    const shape = (text: string) =>
      text.split('\n').map((line) => line.replace(/\\./g, '').replace(/[^|]/g, '').length)
    const plain = shape(writeReport(withText('x'), 'md'))
    always((text) => {
      const written = writeReport(withText(text), 'md')
      expect(shape(written)).toEqual(plain)
      const bare = written.replace(/\\./g, '').replaceAll('<!-- -->', '')
      expect(bare).not.toMatch(/<|https?:\/\/evil|www\.evil/)
      expect(bare).not.toMatch(/[`[\]]/)
    })
  })
  test('CSV: the same lines and cells, and no cell that a spreadsheet would calculate', () => {
    const FORMULA = /^[\s'"]*[=+\-@|%＝＋－＠]/u
    always((text) => {
      const written = writeReport(withText(text), 'csv').slice(1)
      const rows = cellsOf(written)
      expect(rows.map((cells) => cells.length)).toEqual([22, 22, 22])
      for (const cell of rows.flat())
        if (FORMULA.test(cell) && !/^-?\d+(?:\.\d+)?$/.test(cell)) expect(cell.startsWith("'")).toBe(true)
      // With semicolons or tabs as separators, quotes inside a line do not protect.
      for (const piece of written.split(/[;\t\r\n]/).slice(1)) expect(piece).not.toMatch(/^\s*"?[=+@|%]/)
    })
  })
  test('JSON: the very text comes back', () =>
    always((text) => {
      const { documents } = JSON.parse(writeReport(withText(text), 'json')).reconciliations[0]
      expect(documents[0].party.toWellFormed()).toBe(text.toWellFormed())
    }))
  test('amounts stay numbers for a spreadsheet, negative ones too', () => {
    const rows = cellsOf(
      writeReport(
        aReport({ sections: [{ summary: aSummary(), documents: [aDocument({ total: '-1180.50' })] }] }),
        'csv',
      ).slice(1),
    )
    expect(rows[1]).toContain('-1180.50')
  })
})

describe('what a report says', () => {
  test.each(REPORT_FORMATS)('%s: scope, counts, each miss, what cannot be known', (format) => {
    const text = writeReport(aReport(), format)
    expect(text).toContain('E310000000001')
    expect(text.replaceAll('\\', '')).toContain('factura.created')
    if (format === 'csv') return
    for (const part of ['service.example', '598', '12 kinds', 'superseded'])
      expect(text.replaceAll('\\', '')).toContain(part)
    // Formats for people localise sums and dates; JSON has them as sent.
    const written = format === 'json' ? ['2026-10-01', '1180.00'] : ['Oct 1, 2026', 'DOP 1,180.00']
    for (const part of written) expect(text).toContain(part)
  })
  test.each(REPORT_FORMATS)("%s: the user's mapping of document types is part of the scope", (format) => {
    const { connection } = aReport()
    const mapped = { ...connection, documentTypes: [{ id: 77, group: 'nota_credito' }] as const }
    const text = writeReport(aReport({ connection: mapped }), format).replaceAll('\\', '')
    const { documentTypes } = mapped
    if (format === 'json') expect(JSON.parse(text).connection).toMatchObject({ documentTypes })
    else if (format !== 'csv') expect(text).toContain('77=nota_credito')
    expect(writeReport(aReport(), format)).not.toContain('Events of document types')
  })
  test.each(REPORT_FORMATS)('%s: covers the names of parties unless told otherwise', (format) => {
    const covered = writeReport(aReport({ masked: true }), format)
    expect(covered).not.toContain('Peña')
    expect(covered).toContain('C…')
    expect(writeReport(aReport({ masked: false }), format)).toContain('Comercial Peña')
  })
  /** A report with every possible part. */
  const everything = (language: Report['language'], format: (typeof REPORT_FORMATS)[number]) => {
    const problem = { code: 'unauthorised', message: 'The service answered 401.', params: {} } as const
    const sweep = aSweep({ state: 'failed', problems: [problem], range: { ...aSweep().range, from: null } })
    const row = aRow({
      ...{ class: 'differs', cannotTell: ['void-without-event'], note: 'N', ignored: 'I' },
      ...{ likelyReason: 'voided', issuedSince: true, recovered: { at: 0, status: 200 } },
      missed: MISS_RULES.map((rule) => ({ kind: null, rule, certainty: 'possibly' as const })),
    })
    const differences = [
      { field: 'Total', captured: null, service: '2.00', ignored: true, shared: false },
      { field: 'Tip', captured: '1.00', service: '100', ignored: false, shared: true },
    ]
    const evidence = [
      { type: 'coverage' as const, spans: [{ state: 'off' as const, from: 0, to: 60_000 }] },
      { type: 'answers' as const, status: 503, count: 4 },
      { type: 'duplicates' as const, deliveries: [] },
      { type: 'lookalike' as const, deliveries: [] },
      { type: 'deleted' as const, count: 2 },
    ]
    const summary = aSummary({
      ...{ sweep, notReached: 2, notRecovered: 3, unreached: [{ from: 0, to: 1_000_000 }] },
      ...{ joinedByNumber: true, sharedDifferences: [SHARED] },
    })
    const recovery = { target: 'http://127.0.0.1:3000/', events: 3, sent: 2, failed: 1 }
    const sections = [{ summary, documents: [{ row, differences, evidence }] }]
    return writeReport(aReport({ language, recovery, sections }), format)
  }
  const SHARED = { field: 'Tip', documents: 12, captured: '1.00', service: '100' }

  test.each([
    [
      'en',
      `<html lang="en"> | service 2.00 | cannot tell: whether a void was missed | note: N | ignored because: I
      | Acuse was off from 1970-01-01T00:00:00Z to 1970-01-01T00:01:00Z | 4 deliveries of that time | not complete
      | 3 events rebuilt as synthetic deliveries and sent to http://127.0.0.1:3000/: 2 taken, 1 failed
      | The service answered 401. | documents were joined by Number | all 12 documents | as in every document`,
    ],
    [
      'es',
      `<html lang="es"> | Conciliación de erp | clientes y suplidores están cubiertos | no está completo (fallido)
      | El servicio no acepta la clave de API. | el comienzo | Montos en juego | faltante | respuesta de la DGII
      | se perdió una anulación | probablemente porque fue anulado | se unieron por Number
      | Total: capturado nada, servicio 2.00 (no cuenta) | Acuse estuvo apagado de 1970-01-01T00:00:00Z
      | 2 documentos capturados de esas fechas no fueron alcanzados | nota: N | ignorado porque: I
      | 3 documentos tienen eventos perdidos que ningún destino aceptó | 4 entregas de ese momento
      | 3 eventos reconstruidos | emitido después de iniciarse este barrido`,
    ],
  ] as const)(
    'in %s all that is known of a document stands beside it, in terms of accounting',
    (language, parts) => {
      const html = everything(language, 'html').replaceAll('&#39;', "'")
      for (const part of parts.split(/\s*\|\s/)) expect(html).toContain(part)
    },
  )

  test.each(REPORT_FORMATS)('%s: no sentence is left in English', (format) => {
    const text = everything('es', format).replace(/<style>[\s\S]*?<\/style>/, '')
    const said = format === 'json' ? sentencesOf(JSON.parse(text)).join(' ') : text
    for (const word of ['captured', 'service', 'missing', 'sweep', 'Class', 'voided', 'rebuilt', 'Issued'])
      expect(said).not.toMatch(new RegExp(`\\b${word}\\b(?![.-])`))
    expect(said).toContain('posible')
  })

  test('for programs CSV and JSON say the same in both languages, under names of their own', () => {
    const [head = [], row = []] = cellsOf(everything('es', 'csv').slice(1))
    const [english = [], line = []] = cellsOf(everything('en', 'csv').slice(1))
    const cell = (name: string) => line[english.indexOf(name)]
    expect([cell('joined_by'), cell('cannot_tell')]).toEqual(['number', 'void-without-event'])
    expect(cell('differences')).toContain('as in every document')
    expect(head).toHaveLength(english.length)
    expect(head.slice(0, 5).join(' ')).toBe('ruta completo unido_por id_documento numero')
    expect(row).toContain('1180.00')
    expect(JSON.parse(everything('es', 'json')).reconciliations).toMatchObject([
      {
        ...{ joinedBy: 'number', joinedByNumber: true, sharedDifferences: [SHARED] },
        documents: [{ class: 'differs', cannotTell: ['void-without-event'] }],
      },
    ])
  })
})

const sentencesOf = (report: {
  limits: string[]
  reconciliations: { method: string[]; documents: { evidence: { text: string }[] }[] }[]
}): string[] => [
  ...report.limits,
  ...report.reconciliations.flatMap(({ method, documents }) => [
    ...method,
    ...documents.flatMap(({ evidence }) => evidence.map(({ text }) => text)),
  ]),
]
