import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '#core/filter/parse.ts'
import { TABLE } from '../boundaries/table.ts'
import { runningSandbox } from '../support/running-sandbox.ts'

const ROOT = join(import.meta.dirname, '../..')
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
const section = (title: string): string => readme.split(/^#+ /m).find((part) => part.startsWith(title)) ?? ''
const code = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, inner]) => inner ?? '')

describe('the README tells the truth', () => {
  it('every filter in it parses', () => {
    const shown = section('Filter')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => code(line.split(' | ')[0] ?? ''))
    expect(shown.length).toBeGreaterThan(8)
    for (const text of shown) expect(parseFilter(text), text).toMatchObject({ ok: true })
  })
  it('every file and folder it names is there', () => {
    const paths = code(readme).filter((text) => /^(?:src|renderer|tests|resources)(?:\/|$)/.test(text))
    expect(paths.length).toBeGreaterThan(15)
    for (const path of paths) expect(existsSync(join(ROOT, path)), path).toBe(true)
  })
  it('every call of the admin API, every operation and every scenario stands in it, and no other', async () => {
    const { client } = await runningSandbox()
    const { routes } = (await client.admin('GET', '/')).body
    const { operations, scenarios } = (await client.admin('GET', '/operations')).body
    const calls: string[] = routes.map((one: { method: string; path: string }) => `${one.method} ${one.path}`)
    const told = code(section('Admin API'))
    expect(told.filter((text) => /^(?:GET|POST|PUT|DELETE) /.test(text)).sort()).toEqual(
      [...calls, 'GET /', 'GET /operations'].sort(),
    )
    const names = section('Admin API').split('Operations, of which')[1] ?? ''
    expect(
      code(names)
        .filter((text) => !text.startsWith('GET'))
        .sort(),
    ).toEqual(operations.map((one: { name: string }) => one.name).sort())
    const rows = section('Sandbox').split('| Scenario |')[1]?.split('The **laboratory**')[0] ?? ''
    expect(
      code(rows)
        .filter((text) => !text.startsWith('--'))
        .sort(),
    ).toEqual(scenarios.map((one: { slug: string }) => one.slug).sort())
  })
  it('every picture and link within the project leads somewhere', () => {
    for (const [, to = ''] of readme.matchAll(/\]\(([^)#]+)\)/g))
      if (!to.includes('://')) expect(existsSync(join(ROOT, to)), to).toBe(true)
  })
  it('every folder of the import table that exists is explained', () => {
    for (const folder of Object.keys(TABLE))
      if (existsSync(join(ROOT, folder)))
        expect(readme).toContain(`\`${folder.replace('renderer/src', 'renderer')}\``)
  })
})
