import { words } from '../support/words.ts'
/** Imports that the files of one folder may have in addition to each other. */
export interface Row {
  /** Folders or single files. */
  readonly from: readonly string[]
  /** Members of `from` that allow type imports only. */
  readonly typesOnly?: readonly string[]
  /** Parts of `from` that are forbidden. */
  readonly except?: readonly string[]
  readonly packages: readonly string[]
  readonly node: boolean
}

const DOMAIN = ['src/contract', 'src/catalog', 'src/core']

const FEATURES = [
  'delivery',
  'documents',
  'drift',
  'reconcile',
  'replays',
  'sandbox',
  'settings',
  'stream',
  'transfer',
]
const SHARED = 'renderer/src/shared'

const windowRow = (...from: string[]): Row => ({
  from: [...DOMAIN, 'src/interop/schema', 'resources', ...from],
  // The window reaches the engine through the platform interface; with an import of the engine it would be a host.
  except: ['src/core/engine', 'src/core/ports.ts'],
  packages: [
    ...['react', 'react-dom', 'zustand', '@tanstack/*', 'radix-ui', 'i18next', 'react-i18next'],
    ...['lucide-react', '@fontsource-variable/*', 'diff', 'marked'],
  ],
  node: false,
})

/** A feature of the window imports the shared folder and no other feature; `app` combines them. */
const WINDOW: Readonly<Record<string, Row>> = {
  'renderer/src/app': windowRow(SHARED, 'renderer/src/features'),
  [SHARED]: windowRow(),
  ...Object.fromEntries(FEATURES.map((name) => [`renderer/src/features/${name}`, windowRow(SHARED)])),
}

/** Who may import whom (docs/architecture.md, Folders). The longest folder that holds a file decides. */
export const TABLE: Readonly<Record<string, Row>> = {
  'src/catalog': { from: [], packages: [], node: false },
  'src/contract': { from: ['src/catalog'], packages: ['zod'], node: false },
  // re2js: a regular expression in linear time, since users type expressions; pure JavaScript.
  'src/core': { from: ['src/contract', 'src/catalog'], packages: ['re2js'], node: false },
  'src/receiver': { from: DOMAIN, packages: ['express'], node: true },
  'src/threads': { from: ['src/contract'], packages: [], node: true },
  'src/log': { from: ['src/contract', 'src/core', 'src/threads'], packages: [], node: true },
  // pg: PostgreSQL holds the shared log. zod: rules that other programs may have written.
  'src/log/shared': {
    from: ['src/contract', 'src/core', 'src/log'],
    packages: ['pg', 'zod'],
    node: true,
  },
  'src/storage': { from: [...DOMAIN, 'src/log', 'src/threads'], packages: [], node: true },
  'src/outbound': { from: DOMAIN, packages: [], node: true },
  // modern-tar: archives of requests.
  'src/interop': { from: DOMAIN, packages: ['modern-tar'], node: true },
  // Pure, since the window writes these files too.
  'src/interop/schema': { from: DOMAIN, packages: [], node: false },
  // contract: the admin API uses the commands' schemas (decision 0019). zod: the sandbox parses texts by them.
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
    // selfsigned: makes the receiver's certificate.
    packages: ['express', 'ws', 'commander', 'zod', 'selfsigned', '@modelcontextprotocol/server'],
    node: true,
  },
  'src/main': {
    // The desktop app is a host too, so it may import the hosts' shared files, listed singly: not the browser host or the command line.
    from: [
      ...words`src/catalog src/contract src/core src/preload/channels.ts`,
      ...words`src/hosts/assemble.ts src/hosts/session-host.ts src/hosts/workers.ts`,
      ...['src/hosts/data-dir.ts', 'src/hosts/atomic-file.ts', 'src/hosts/secrets-file.ts'],
      'src/hosts/draft-file.ts',
      ...words`src/hosts/local/server.ts src/hosts/window-files.ts src/hosts/remote.ts src/threads/thread.ts`,
    ],
    typesOnly: ['src/core', 'src/threads/thread.ts'],
    packages: ['electron', 'electron-updater', 'zod'],
    node: true,
  },
  'src/preload': { from: ['src/contract'], typesOnly: ['src/contract'], packages: ['electron'], node: false },
  ...WINDOW,
}

/** Folders that may use `?nodeWorker`: only a bundler understands it, and these files always run bundled. */
export const BUNDLED = ['src/hosts', 'src/main']

/** Largest number of lines of a file. */
export const MOST_LINES = 400

/**
 * Closing a database file releases every lock that SQLite holds on it in the same process, threads included. So only these modules may open
 * files without SQLite, and they never open a database that SQLite may have open.
 */
export const OPENERS: Readonly<Record<string, string>> = {
  'src/storage/disk/files.ts': 'a database that does not exist yet, small files, folders',
  'src/storage/disk/lock.ts': 'a lock that is no database and that this process does not hold',
  'src/storage/facade/old-journals.ts': 'journals of 0.1',
  'src/log/disk.ts': 'segments of the log',
  'src/log/shared/cluster.ts': 'programs and configuration of a database for tests and trials',
  'src/log/shared/spill.ts': 'how far a spill is drained',
  'src/storage/disk/space.ts': 'the reserve',
  'src/storage/reader/damaged-pages.ts': 'a database that was set aside',
  'src/sandbox/state/database.ts': 'a database that does not exist yet',
  'src/hosts/atomic-file.ts': 'settings and other small files, folders',
  'src/hosts/window-files.ts': 'the files of the window',
  'src/hosts/cli/shared/terminal.ts': 'a file that the user names',
  'src/hosts/cli/shared/report-file.ts': 'a report',
  'src/hosts/draft-file.ts': 'an exported file',
  'src/hosts/cli/commands/import.ts': 'files to import',
  'src/hosts/transfer/import-runs.ts': 'a file to import',
  'src/hosts/transfer/worker.ts': 'a file to import',
  'src/hosts/transfer/session-export.ts': 'a session file that SQLite has closed',
  'src/storage/writer/backup.ts': 'small files of the data folder',
  'src/storage/session/session-file.ts': 'a copy to import, before SQLite opens it',
  'src/hosts/cli/shared/open-browser.ts': 'a page of its own in the home folder',
}

/** Functions of node:fs that work by path and close no file. */
export const OPEN_NOTHING: ReadonlySet<string> = new Set(
  words`access chmod exists lstat mkdir mkdtemp readdir realpath rename rm stat statfs unlink`
    .flatMap((name) => [name, `${name}Sync`])
    .concat('constants'),
)
