import { describe, expect, test } from 'vitest'
import {
  bodyDraftOf,
  changedParts,
  EDITED_MOST,
  type EditDraft,
  editErrors,
  editOf,
} from '../../../../../renderer/src/shared/targets/edit-draft.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const ORIGINAL: EditDraft = {
  method: 'POST',
  url: '/hook?x=1',
  headers: [
    { key: 0, name: 'Host', value: '127.0.0.1', secret: false },
    { key: 1, name: 'X-Secret', value: 's', secret: true },
  ],
  body: bodyDraftOf(bytes('{"a":1.50}'), []),
}
const withBody = (text: string): EditDraft =>
  ORIGINAL.body.editable ? { ...ORIGINAL, body: { ...ORIGINAL.body, text } } : ORIGINAL

describe('an edited copy of a delivery', () => {
  test('nothing changed is no edit: the delivery goes out as it came', () => {
    expect(editOf(ORIGINAL, ORIGINAL)).toBeUndefined()
    expect(editOf({ ...ORIGINAL, headers: [...ORIGINAL.headers] }, ORIGINAL)).toBeUndefined()
  })

  test('only what was changed is part of it', () => {
    expect(editOf({ ...ORIGINAL, method: 'PUT' }, ORIGINAL)).toEqual({ method: 'PUT' })
    expect(editOf({ ...ORIGINAL, url: '/other' }, ORIGINAL)).toEqual({ url: '/other' })
    expect(editOf(withBody('{"ñ":2}'), ORIGINAL)).toEqual({ bodyBase64: btoa('{"\xc3\xb1":2}') })
  })

  test('headers go as a whole list, in order, secrets with their values', () => {
    const [host, secret] = ORIGINAL.headers
    if (!host || !secret) throw new Error('two headers')
    expect(editOf({ ...ORIGINAL, headers: [secret, { ...host, value: 'h' }] }, ORIGINAL)).toEqual({
      headers: [
        ['X-Secret', 's'],
        ['Host', 'h'],
      ],
    })
  })

  test('what was put back as received is no longer changed', () => {
    expect(changedParts(withBody('x'), ORIGINAL)).toEqual(new Set(['body']))
    expect(changedParts(withBody('{"a":1.50}'), ORIGINAL)).toEqual(new Set())
  })

  test('CR LF at every line end comes back at every line end', () => {
    const body = bodyDraftOf(bytes('{\r\n"a":1\r\n}'), [])
    if (!body.editable) throw new Error('editable')
    expect(body.original).toBe('{\n"a":1\n}')
    const original = { ...ORIGINAL, body }
    const edit = editOf({ ...original, body: { ...body, text: '{\n"a":2\n}' } }, original)
    expect(atob(edit?.bodyBase64 ?? '')).toBe('{\r\n"a":2\r\n}')
  })

  test.each([
    ['mixed line ends', bytes('a\r\nb\nc'), [], 'lineEnds'],
    ['a lone CR', bytes('a\rb'), [], 'lineEnds'],
    ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0xff), [], 'binary'],
    ['a NUL', bytes('a\0b'), [], 'binary'],
    ['a coding', bytes('{}'), ['gzip'], 'coded'],
    ['more than a MiB', new Uint8Array(EDITED_MOST + 1), [], 'large'],
    ['what was not read', undefined, [], 'large'],
  ] as const)('%s is not editable: a text field could not give it back', (_, given, codings, why) => {
    expect(bodyDraftOf(given, codings)).toEqual({ editable: false, why })
  })

  test('a byte order mark stays', () => {
    const body = bodyDraftOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), [])
    expect(body.editable && body.text).toBe('\ufeff{}')
  })

  test('only what was changed is judged: a delivery may have come with anything', () => {
    const odd = {
      ...ORIGINAL,
      method: 'BAD METHOD',
      headers: [{ key: 0, name: 'a b', value: '', secret: false }],
    }
    expect(editErrors(odd, odd)).toEqual(new Set())
    expect(editErrors({ ...ORIGINAL, method: 'Connect' }, ORIGINAL)).toEqual(new Set(['method']))
    expect(editErrors({ ...ORIGINAL, url: 'no-slash', method: 'A B' }, ORIGINAL)).toEqual(
      new Set(['method', 'url']),
    )
    const headers = [...ORIGINAL.headers, { key: 9, name: 'a b', value: 'x\ny', secret: false }]
    expect(editErrors({ ...ORIGINAL, headers }, ORIGINAL)).toEqual(new Set(['name-2', 'value-2']))
  })
})
