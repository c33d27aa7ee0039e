import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { marked, type Tokens } from 'marked'
import { expect, it } from 'vitest'
import { pageOf } from '@/app/guide.tsx'
import { GUIDE_PAGES } from '@/app/guide-pages.ts'

const GUIDE = resolve(import.meta.dirname, '../../../../docs/guide')
const page = (name: string): string => readFileSync(resolve(GUIDE, name), 'utf8')
const kinds = (text: string) => marked.lexer(text).flatMap(({ type }) => (type === 'space' ? [] : [type]))

it.each(GUIDE_PAGES)('the guide: has %s in both languages, part by part', (name) => {
  const [en, es] = [page(`${name}.md`), page(`${name}.es.md`)]
  expect(kinds(es)).toEqual(kinds(en))
  const commands = (text: string) =>
    marked
      .lexer(text)
      .flatMap((token) =>
        token.type === 'code'
          ? [(token as Tokens.Code).text.replace(/\s+#.*|\/(path|ruta)\/| [or]+ off.*/g, '')]
          : [],
      )
  expect(commands(es)).toEqual(commands(en))
})

it.each(GUIDE_PAGES)('the guide: leads from the Spanish %s to Spanish pages', (name) => {
  const links = [...page(`${name}.es.md`).matchAll(/\]\(([\w.-]+\.md)/g)].map(([, to = '']) => to)
  for (const to of links) {
    expect(to).toMatch(/\.es\.md$/)
    expect(pageOf(to)).toBeDefined()
  }
})

it('the guide: knows its own pages by their links, and no others', () =>
  expect(
    ['receive.md', 'replay.es.md#x', '../reference/filter.md', 'https://example.com/start.md'].map(pageOf),
  ).toEqual(['receive', 'replay', undefined, undefined]))
