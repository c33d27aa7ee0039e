import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = resolve(import.meta.dirname, '../../../renderer/src')

const classesOf = (sheet: string): ReadonlySet<string> =>
  new Set(
    [...sheet.replace(/\/\*.*?\*\//gs, '').matchAll(/\.([a-z_][\w-]*)/gi)].map(([, name]) => name ?? ''),
  )

/** Classes that a component uses but its stylesheets lack. */
function missing(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].flatMap(
    ([, name = '', path = '']) => {
      const sheet = path.startsWith('@/') ? join(SOURCE, path.slice(2)) : resolve(dirname(file), path)
      const known = classesOf(readFileSync(sheet, 'utf8'))
      return [...text.matchAll(new RegExp(`(?<![\\w.'"/-])${name}\\.(\\w+)`, 'g'))]
        .filter(([, taken = '']) => !known.has(taken))
        .map(([whole]) => `${relative(SOURCE, file)}: ${whole}`)
    },
  )
}

test('every class that a component names is in its stylesheet: one that is not leaves it without a style, in silence', () => {
  const files = globSync('**/*.tsx', { cwd: SOURCE })
  expect(files.length).toBeGreaterThan(100)
  expect(files.flatMap((file) => missing(join(SOURCE, file)))).toEqual([])
})

test('no part of the first draw is left out of its stylesheet: it would be drawn without its styles, for a moment', () => {
  const drawn = new Set<string>()
  const take = (file: string): void => {
    if (drawn.has(file)) return
    drawn.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)(?! type\b)[^;]*? from '([@.]\/[^']+\.tsx?)'/gms,
    )
    for (const [, path = ''] of imports)
      take(path.startsWith('@') ? join(SOURCE, path.slice(2)) : resolve(dirname(file), path))
  }
  for (const entry of ['main.browser.tsx', 'main.electron.tsx']) take(join(SOURCE, 'app', entry))
  expect(drawn.size).toBeGreaterThan(50)
  const styles = join(SOURCE, 'shared/styles')
  const sheet = readFileSync(join(styles, 'global.css'), 'utf8')
  const late = [...sheet.matchAll(/@source not "([^"{]+)\{([^}]+)\}([^"]*)"/g)].flatMap(
    ([, before = '', names = '', after = '']) =>
      names.split(',').map((name) => join(styles, `${before}${name}${after}`)),
  )
  expect(late.length).toBeGreaterThan(30)
  expect(late.filter((path) => !existsSync(path))).toEqual([])
  const left = [...drawn].filter(
    (file) => file.endsWith('x') && late.some((path) => file === path || file.startsWith(`${path}/`)),
  )
  expect(left).toEqual([])
})
