import { createInstance, type TFunction } from 'i18next'
import { expect, test } from 'vitest'
import { toRefusal } from '#contract/errors.ts'
import { documentFilter } from '#core/documents.ts'
import { readFilter } from '#core/filter/read.ts'
import { notForDocuments } from '@/features/documents/documents-screen.tsx'
import en from '@/features/documents/texts/en/documents.json'
import es from '@/features/documents/texts/es/documents.json'

async function saying(language: 'en' | 'es'): Promise<TFunction<['documents', 'shell']>> {
  const i18n = createInstance()
  await i18n.init({
    lng: language,
    ns: ['documents', 'shell'],
    defaultNS: 'documents',
    resources: { en: { documents: en }, es: { documents: es } },
    interpolation: { escapeValue: false },
  })
  return i18n.getFixedT(language, ['documents', 'shell'])
}
const refusalOf = (filter: string) => {
  try {
    documentFilter(readFilter(filter))
  } catch (error) {
    return toRefusal(error, 'documents.page')
  }
  throw new Error(`${filter} is taken`)
}

test.each([
  ['received:today', 'timestamp:'],
  ['is:pinned', 'out-of-order'],
  ['/E31/', '/…/'],
  ['$.data.Number:*', '$.…'],
  ['header.x:*', 'header.'],
  ['size:>1kb', 'size:'],
  ['has:note', 'has:'],
])('why %s is not for documents is said in the language of the window', async (filter, part) => {
  const refusal = refusalOf(filter)
  const [english, spanish] = [await saying('en'), await saying('es')].map((t) => notForDocuments(t, refusal))
  for (const sentence of [english, spanish]) {
    expect(sentence).toContain(part)
    expect(sentence).not.toMatch(/undefined|\{\{|filter\./)
  }
  expect(spanish).not.toBe(english)
})

test('another refusal is none of its own', async () =>
  expect(notForDocuments(await saying('en'), { code: 'bad-filter', message: 'x' })).toBeNull())
