import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '#core/filter/parse.ts'
import { acuse } from '#hosts/cli/main.ts'
import { TABLE } from '../boundaries/table.ts'
import { PAGES } from '../docs/pages.ts'
import { runningSandbox } from '../support/running-sandbox.ts'
import { terminalDouble } from '../support/terminal-double.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const code = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, inner]) => inner ?? '')
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: ROOT })]

/** The anchor that a heading gets on the usual hosts of Git repositories. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .trim()
    .replaceAll(' ', '-')

describe('the documents', () => {
  it.each(Object.entries(PAGES))('docs/%s is what "npm run docs" writes', (place, made) =>
    expect(read(join('docs', place))).toBe(made()),
  )

  it('every link leads to a file, and to a heading of it', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => ({ page, to })),
    )
    expect(links.length).toBeGreaterThan(40)
    for (const { page, to } of links) {
      if (to.includes('://')) continue
      const [file = '', anchor] = to.split('#')
      const path = file === '' ? page : join(dirname(page), file)
      expect(existsSync(join(ROOT, path)), `${page}: ${to}`).toBe(true)
      if (anchor === undefined) continue
      const headings = [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
      expect(headings, `${page}: ${to}`).toContain(anchor)
    }
  })

  it('every file and folder that they name is there', () => {
    for (const page of pages)
      for (const text of code(read(page)))
        if (/^(?:src|renderer|tests|resources|docs)\//.test(text))
          expect(existsSync(join(ROOT, text)), `${page}: ${text}`).toBe(true)
  })

  it('every command line in them names a command of Acuse', () => {
    const program = acuse({ terminal: terminalDouble(), exitWith() {} })
    const names = program.commands.map((command) => command.name())
    const shown = pages
      .flatMap((page) => [...read(page).matchAll(/^(?:\w+=\S+ )*(?:npm run -s )?acuse (?:-- )?([a-z-]+)/gm)])
      .map(([, name]) => name)
    expect(shown.length).toBeGreaterThan(40)
    for (const name of shown) expect(names).toContain(name)
  })

  it('every filter of the filter reference parses', () => {
    const shown = read('docs/reference/filter.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => code(line.split(' | ')[0] ?? ''))
    expect(shown.length).toBeGreaterThan(8)
    for (const text of shown) expect(parseFilter(text), text).toMatchObject({ ok: true })
  })

  it('the page of the admin API has every call, every operation and no other; the guide every scenario', async () => {
    const { client } = await runningSandbox()
    const { routes } = (await client.admin('GET', '/')).body
    const { operations, scenarios } = (await client.admin('GET', '/operations')).body
    const calls: string[] = routes.map((one: { method: string; path: string }) => `${one.method} ${one.path}`)
    const [told = '', names = ''] = read('docs/reference/sandbox-api.md').split('Operations (')
    expect(
      code(told)
        .filter((text) => /^(?:GET|POST|PUT|DELETE) /.test(text))
        .sort(),
    ).toEqual([...calls, 'GET /'].sort())
    expect(
      code(names)
        .filter((text) => !text.startsWith('GET'))
        .sort(),
    ).toEqual(operations.map((one: { name: string }) => one.name).sort())
    expect(
      code(read('docs/guide/sandbox.md').split('## Scenarios')[1]?.split('## ')[0] ?? '')
        .filter((text) => !text.startsWith('--'))
        .sort(),
    ).toEqual(scenarios.map((one: { slug: string }) => one.slug).sort())
  })

  it('every folder of the import table is explained', () => {
    const folders = read('docs/architecture.md')
    for (const folder of Object.keys(TABLE))
      if (existsSync(join(ROOT, folder)))
        expect(folders).toContain(`\`${folder.replace(/\/features\/.*/, '/features')}\``)
  })
})
