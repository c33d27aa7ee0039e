import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = resolve(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache/acuse-threads')
/** Entry files of a host's threads and of its child process, below src/. */
const THREADS = [
  'log/worker',
  ...['writer/worker', 'reader/worker', 'analyst/worker', 'checking/process'].map(
    (name) => `storage/${name}`,
  ),
  ...['replay/worker', 'reconcile/worker', 'transfer/worker'].map((name) => `hosts/${name}`),
]

/** @returns the file of a thread: bundled before the run, else its source, which Node runs unchanged */
export function threadFile(name: string): URL {
  const folder = process.env.ACUSE_TEST_THREADS
  return pathToFileURL(folder ? join(folder, `${name}.mjs`) : join(ROOT, 'src', `${name}.ts`))
}

/** Bundles threads before the tests: those start thousands, and loading the sources would double a thread's start time. */
export default async function bundleThreads(): Promise<void> {
  const input = Object.fromEntries(THREADS.map((name) => [name, join(ROOT, 'src', `${name}.ts`)]))
  // Imported here, since tests import this file too and need no bundler.
  const { build } = await import('vite')
  const built = await build({
    ...{ root: ROOT, configFile: false, logLevel: 'warn' },
    build: {
      ...{ ssr: true, write: false, minify: false, target: 'node24' },
      rolldownOptions: {
        input,
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  })
  if (!('output' in built)) throw new Error('The threads could not be bundled.')
  const files = built.output.flatMap((one) =>
    one.type === 'chunk' ? [[one.fileName, one.code] as const] : [],
  )
  // Named by a hash of the content: parallel runs share the folder, and Node's compile cache stays valid.
  const folder = join(CACHE, createHash('sha1').update(JSON.stringify(files)).digest('hex').slice(0, 16))
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true })
    const made = mkdtempSync(join(CACHE, 'new-'))
    for (const [name, code] of files) {
      mkdirSync(dirname(join(made, name)), { recursive: true })
      writeFileSync(join(made, name), code)
    }
    try {
      renameSync(made, folder)
    } catch (error) {
      // Another run has made the same folder meanwhile.
      rmSync(made, { recursive: true })
      if (!existsSync(folder)) throw error
    }
  }
  process.env.ACUSE_TEST_THREADS = folder
}
