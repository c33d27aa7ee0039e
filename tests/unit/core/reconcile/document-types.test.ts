import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '#contract/commands.ts'
import { DOCUMENT_GROUPS, MOST_DOCUMENT_TYPES } from '#contract/values.ts'
import { documentTypesText, readDocumentTypes } from '#core/reconcile/documents.ts'
import { forAll } from '../../../support/for-all.ts'
import { aConnection } from '../../../support/records.ts'

const types = fc.uniqueArray(fc.record({ id: fc.maxSafeNat(), group: fc.constantFrom(...DOCUMENT_GROUPS) }), {
  selector: ({ id }) => id,
  maxLength: MOST_DOCUMENT_TYPES,
})
const takes = (documentTypes: unknown): boolean =>
  COMMANDS['connections.save'].params.safeParse(aConnection({ documentTypes })).success

describe("the user's mapping of document types, as it is typed (readings, Reconciling)", () => {
  test('what is printed is read as it was', () =>
    forAll(100, [types], (mapped) =>
      expect(readDocumentTypes(documentTypesText(mapped))).toEqual({ types: mapped }),
    ))

  test('blanks, semicolons, capitals and separators too many do not matter', () => {
    const mapped = [
      { id: 31, group: 'factura' },
      { id: 34, group: 'nota_credito' },
    ]
    for (const text of [
      '31=factura,34=nota_credito',
      ' 31 = Factura ;\n034=NOTA_CREDITO, ',
      ',;31=factura 34\t= nota_credito',
    ])
      expect(readDocumentTypes(text)).toEqual({ types: mapped })
    for (const text of ['', '  ', ' ,; ']) expect(readDocumentTypes(text)).toEqual({ types: [] })
  })

  test.each([
    ['31', 'form', '31'],
    ['31=', 'form', '31'],
    ['31=,34=gasto', 'form', '31'],
    ['31==gasto', 'form', '31'],
    ['=gasto', 'form', '='],
    ['31=gasto 34', 'form', '34'],
    ['31=nota credito', 'group', 'nota'],
    ['31=__proto__', 'group', '__proto__'],
    ['E31=factura', 'id', 'E31'],
    ['-1=factura', 'id', '-1'],
    ['9007199254740992=factura', 'id', '9007199254740992'],
    ['31=gasto, 031=gasto', 'twice', '031'],
    [Array.from({ length: MOST_DOCUMENT_TYPES + 1 }, (_, id) => `${id}=gasto`).join(), 'many', ''],
  ])('%s is wrong: %s', (text, problem, part) => expect(readDocumentTypes(text)).toEqual({ problem, part }))

  test('whatever is typed is read or refused, and what is read the host takes', () => {
    const bit = fc.constantFrom('31', '0', '=', ',', ' ', 'factura', 'gasto', 'x', '\u00a0', '34=gasto')
    forAll(
      100,
      [
        fc.oneof(
          fc.string(),
          fc.array(bit).map((bits) => bits.join('')),
        ),
      ],
      (text) => {
        const read = readDocumentTypes(text)
        if ('types' in read) expect(takes(read.types)).toBe(true)
        else if (read.part !== '') expect(text).toContain(read.part)
      },
    )
  })

  test('a text of blanks is read in no time', () =>
    expect(readDocumentTypes(`31${' '.repeat(2_000_000)}=${' '.repeat(2_000_000)}gasto`)).toEqual({
      types: [{ id: 31, group: 'gasto' }],
    }))
})
