import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type Texts, withMillions } from '@/shared/i18n/texts.ts'

const ROOT = resolve(import.meta.dirname, '../../../../../renderer/src')
const ENGLISH = globSync('**/texts/en/*.json', { cwd: ROOT }).sort()

const read = (path: string): Texts => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const inSpanish = (path: string) => path.replace('/texts/en/', '/texts/es/')

const flat = (texts: Texts, at = ''): [path: string, text: string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${at}${key}`, value]] : flat(value, `${at}${key}.`),
  )
const variables = (text: string) => [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name).sort()

test('each file of texts is there in both languages, and known to the types', () => {
  expect(globSync('**/texts/es/*.json', { cwd: ROOT }).sort()).toEqual(ENGLISH.map(inSpanish))
  const types = readFileSync(join(ROOT, 'app/i18next.d.ts'), 'utf8')
  expect(ENGLISH.filter((path) => !types.includes(`import('@/${path}')`))).toEqual([])
})

test.each(ENGLISH)('the Spanish texts of %s have the same keys, and no other variables', (path) => {
  const english = new Map(flat(read(path)))
  const spanish = flat(read(inSpanish(path)))
  // Spanish has a separate plural form for millions; it is listed only where it differs from the other plural.
  const several = new Map(spanish.map(([key, text]) => [key.replace(/_other$/, '_many'), text]))
  const plain = spanish.filter(
    ([key, text]) => !key.endsWith('_many') || [text, undefined].includes(several.get(key)),
  )
  expect(plain.map(([key]) => key).sort()).toEqual([...english.keys()].sort())
  const stray = spanish.filter(([key, text]) => {
    const known = variables(english.get(key.replace(/_many$/, '_other')) ?? '')
    return variables(text).some((name) => !known.includes(name))
  })
  expect(stray).toEqual([])
})

test('a text that says nothing of millions says of them what it says of several', () => {
  const texts = { a_one: '1', a_other: 'n', in: { b_many: 'millions', b_other: 'n' } }
  expect(withMillions(texts)).toEqual({ ...texts, a_many: 'n' })
})

const REPOSITORY = resolve(ROOT, '../..')
const CONTRIBUTING = readFileSync(join(REPOSITORY, 'CONTRIBUTING.md'), 'utf8')

test.each([
  ['English', ['renderer/src/**/texts/en/*.json', 'src/**/{*-en,en}.json']],
  ['Spanish', ['renderer/src/**/texts/es/*.json', 'renderer/src/**/*.es.json', 'src/**/{*-es,es}.json']],
])('no %s text for users has a word that CONTRIBUTING.md rules out', (language, places) => {
  const list = new RegExp(`^\\* ${language}: ((?:.|\\n {2})*)`, 'm').exec(CONTRIBUTING)?.[1] ?? ''
  const words = [...list.matchAll(/\*([^*]+)\*/g)].map(([, word]) => word)
  expect(words.length).toBeGreaterThan(10)
  const said = new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`, 'iu')
  const found = globSync(places, { cwd: REPOSITORY }).flatMap((path) =>
    flat(JSON.parse(readFileSync(join(REPOSITORY, path), 'utf8')))
      .filter(([, text]) => said.test(text))
      .map(([key, text]) => `${path} ${key}: ${text}`),
  )
  expect(found).toEqual([])
})
