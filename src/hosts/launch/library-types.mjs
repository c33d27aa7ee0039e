import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pinnedNode, Refusal, run } from './project.mjs'

const ROOT = join(import.meta.dirname, '../../..')
const EMITTED = join(ROOT, 'out/declarations')
const TYPES = join(ROOT, 'out/types')
const ENTRY = 'src/hosts/library/index.d.ts'

/** A module that a declaration names: relative, or below an alias of package.json, which other projects cannot resolve. */
const MODULE = /(from |import\()(["'])(#|\.{1,2}\/)([^"']+)\.ts\2/g

/**
 * Writes the types of the library to out/types: its declarations and those that they name, linked relatively. Part of `npm pack`, not of
 * the build, since only other projects read them.
 * @throws Refusal with the compiler's output
 */
async function writeLibraryTypes() {
  rmSync(EMITTED, { recursive: true, force: true })
  rmSync(TYPES, { recursive: true, force: true })
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const node = pinnedNode(ROOT) ?? process.execPath
  const { code, output } = await run(node, [compiler, '-p', 'src/tsconfig.types.json'], {
    cwd: ROOT,
    quiet: true,
  })
  if (code !== 0) throw new Refusal(`${output}\nThe types of the library cannot be written.`)
  const known = new Set([ENTRY])
  for (const path of known) {
    const text = readFileSync(join(EMITTED, path), 'utf8')
    const linked = text.replace(MODULE, (_, before, quote, start, rest) => {
      const target = start === '#' ? join('src', rest) : join(dirname(path), `${start}${rest}`)
      known.add(`${target}.d.ts`)
      const way = relative(dirname(path), target)
      return `${before}${quote}${way.startsWith('.') ? way : `./${way}`}.js${quote}`
    })
    mkdirSync(dirname(join(TYPES, path)), { recursive: true })
    writeFileSync(join(TYPES, path), linked)
  }
  rmSync(EMITTED, { recursive: true, force: true })
}

try {
  await writeLibraryTypes()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
