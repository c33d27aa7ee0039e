import { words } from '../support/words.ts'
/** What the files under one folder may import besides each other. */
export interface Row {
  /** Folders or single files. */
  readonly from: readonly string[]
  /** Members of `from` of which only types may be imported. */
  readonly typesOnly?: readonly string[]
  /** Parts of `from` that stay closed. */
  readonly except?: readonly string[]
  readonly packages: readonly string[]
  readonly node: boolean
}

const DOMAIN = ['src/contract', 'src/catalog', 'src/core']

const FEATURES = ['delivery', 'documents', 'drift', 'reconcile', 'replays', 'sandbox', 'settings', 'stream']
const SHARED = 'renderer/src/shared'

const windowRow = (...from: string[]): Row => ({
  from: [...DOMAIN, 'resources', ...from],
  // The engine lives behind the platform interface; a window that imported it would be a host.
  except: ['src/core/engine', 'src/core/ports.ts'],
  packages: [
    ...['react', 'react-dom', 'zustand', '@tanstack/*', 'radix-ui', 'i18next', 'react-i18next'],
    ...['lucide-react', '@fontsource-variable/*', 'diff', 'marked'],
  ],
  node: false,
})

/** A feature of the window knows what all share, and no other feature: `app` puts them together. */
const WINDOW: Readonly<Record<string, Row>> = {
  'renderer/src/app': windowRow(SHARED, 'renderer/src/features'),
  [SHARED]: windowRow(),
  ...Object.fromEntries(FEATURES.map((name) => [`renderer/src/features/${name}`, windowRow(SHARED)])),
}

/** Who may import whom (docs/architecture.md, Folders). The longest folder that holds a file decides. */
export const TABLE: Readonly<Record<string, Row>> = {
  'src/catalog': { from: [], packages: [], node: false },
  'src/contract': { from: ['src/catalog'], packages: ['zod'], node: false },
  // re2js: pure JavaScript; expressions that people type must take time in proportion to the text.
  'src/core': { from: ['src/contract', 'src/catalog'], packages: ['re2js'], node: false },
  'src/receiver': { from: DOMAIN, packages: ['express'], node: true },
  'src/threads': { from: ['src/contract'], packages: [], node: true },
  'src/log': { from: ['src/contract', 'src/core', 'src/threads'], packages: [], node: true },
  'src/storage': { from: [...DOMAIN, 'src/log', 'src/threads'], packages: [], node: true },
  'src/outbound': { from: DOMAIN, packages: [], node: true },
  'src/interop': { from: DOMAIN, packages: [], node: true },
  // contract: the schemas of its admin API are those of the commands (decision 0019). zod: it reads texts by them.
  'src/sandbox': {
    from: [
      ...['src/contract/sandbox.ts', 'src/contract/sandbox-commands.ts', 'src/contract/param-words.ts'],
      'src/catalog',
    ],
    packages: ['express', 'zod'],
    node: true,
  },
  'src/hosts': {
    from: [
      ...DOMAIN,
      ...words`src/receiver src/log src/storage src/threads src/outbound src/interop src/sandbox package.json`,
    ],
    // selfsigned: the receiver's own certificate.
    packages: ['express', 'ws', 'commander', 'zod', 'selfsigned'],
    node: true,
  },
  'src/main': {
    // A host too, so it may use what hosts share, named one by one: never the browser host or the command line.
    from: [
      ...words`src/catalog src/contract src/core src/preload/channels.ts`,
      ...words`src/hosts/assemble.ts src/hosts/workers.ts`,
      ...['src/hosts/data-dir.ts', 'src/hosts/atomic-file.ts', 'src/hosts/secrets-file.ts'],
      ...['src/hosts/local/server.ts', 'src/hosts/window-files.ts'],
    ],
    typesOnly: ['src/core'],
    packages: ['electron', 'zod'],
    node: true,
  },
  'src/preload': { from: ['src/contract'], typesOnly: ['src/contract'], packages: ['electron'], node: false },
  ...WINDOW,
}

/** Where `?nodeWorker` may stand: only a bundler understands it, and these files are only ever run bundled. */
export const BUNDLED = ['src/hosts', 'src/main']

/** More lines than this is more than one idea. */
export const MOST_LINES = 400

/**
 * Closing a database file releases every lock that SQLite holds on it in the same process, threads included. So only these files may open
 * files by themselves; what each of them opens is never a database while SQLite may have it open.
 */
export const OPENERS: Readonly<Record<string, string>> = {
  'src/storage/disk/files.ts': 'a database that does not exist yet, small files, folders',
  'src/storage/disk/lock.ts': 'a lock that is no database and that this process does not hold',
  'src/storage/facade/old-journals.ts': 'journals of 0.1',
  'src/log/disk.ts': 'segments of the log',
  'src/storage/disk/space.ts': 'the reserve',
  'src/storage/reader/damaged-pages.ts': 'a database that was set aside',
  'src/sandbox/state/database.ts': 'a database that does not exist yet',
  'src/hosts/atomic-file.ts': 'settings and other small files, folders',
  'src/hosts/window-files.ts': 'the files of the window',
  'src/hosts/cli/shared/terminal.ts': 'a file that the user names',
  'src/hosts/cli/shared/report-file.ts': 'a report',
  'src/hosts/cli/shared/open-browser.ts': 'a page of its own in the home folder',
}

/** Functions of node:fs that look, rename or remove by a path, and close nothing. */
export const OPEN_NOTHING: ReadonlySet<string> = new Set(
  words`access chmod exists lstat mkdir mkdtemp readdir realpath rename rm stat statfs unlink`
    .flatMap((name) => [name, `${name}Sync`])
    .concat('constants'),
)
