import { describe, expect, it } from 'vitest'
import { tip, tipOf } from '@/shared/components/tip.ts'

/** As a browser makes a dataset of attributes. */
function element(attributes: Readonly<Record<string, string | undefined>>): HTMLElement {
  const dataset: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && name.startsWith('data-'))
      dataset[name.slice(5).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] = value
  return { dataset } as unknown as HTMLElement
}

describe('a tip', () => {
  it('is read from the attributes as it was written into them', () => {
    for (const written of [
      { content: 'Pin', kbd: 'p', side: 'right' },
      { content: 'Copy', kbd: undefined, side: undefined },
      { content: '', kbd: '?', side: 'top' },
    ] as const)
      expect(tipOf(element({ ...tip(written) }))).toEqual(written)
  })

  it('tells assistive technology the key', () => {
    expect(tip({ content: 'Pin', kbd: 'p' })['aria-description']).toBe('p')
    expect(tip({ content: 'Pin' })['aria-description']).toBeUndefined()
  })

  it('is none for elements without, and takes the usual side for one it does not know', () => {
    expect(tipOf(element({}))).toBeNull()
    expect(tipOf(element({ 'data-tip': 'x', 'data-tip-side': 'javascript' }))).toEqual({
      content: 'x',
      kbd: undefined,
      side: undefined,
    })
  })
})
