import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../../../../renderer/src')

/** Names that are the same in every language: keys, names of the specification, of the program and of HTTP. */
const NAMES = ['Enter', 'Esc', 'Accounting', 'StatusId', 'Acuse', 'URL', 'X-Forwarded-For, Cookie']
const LETTERS = '[A-Za-zÁ-ú]{2}'
/** Text between tags, and attributes that are shown or read aloud. */
const TEXT = new RegExp(`>([^<>{}=;()]*${LETTERS}[^<>{}=;()]*)</`, 'g')
const ATTRIBUTE = new RegExp(
  `\\b(?:aria-label|title|placeholder|label|alt|description|hint)="([^"]*${LETTERS}[^"]*)"`,
  'g',
)
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g

function wordsIn(source: string): string[] {
  const code = source.replace(COMMENT, '')
  return [TEXT, ATTRIBUTE]
    .flatMap((pattern) => [...code.matchAll(pattern)].map(([, words = '']) => words.trim()))
    .filter((words) => words !== 'null' && !NAMES.includes(words) && !/^https?:\/\//.test(words))
}

test('no words stand outside the catalogues of texts, so that Spanish is complete (E, Accessibility and language)', () => {
  const files = globSync('**/*.tsx', { cwd: ROOT })
  expect(files.length).toBeGreaterThan(150)
  const found = files.flatMap((file) =>
    wordsIn(readFileSync(join(ROOT, file), 'utf8')).map((words) => `${file}: ${words}`),
  )
  expect(found).toEqual([])
})

test('the search finds words where there are some', () =>
  expect(wordsIn('<p>Nothing here</p> // <b>comment</b>\n<i title="Close it" />')).toEqual([
    'Nothing here',
    'Close it',
  ]))
