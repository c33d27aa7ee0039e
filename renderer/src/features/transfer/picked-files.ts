import { store } from '@/shared/live/store.ts'

export interface PickedFile {
  /** Its path below what the user picked. */
  readonly name: string
  readonly file: File
}

interface Picked {
  /** Null: none picked yet. */
  readonly files: readonly PickedFile[] | null
  /** Why dropped files could not be read. */
  readonly problem: string | null
  /** An import uses the files, so that the user cannot pick others. */
  readonly busy: boolean
}

const NONE: Picked = { files: null, problem: null, busy: false }

/** Files for an import, which a drop or the dialog's buttons pick. */
export const usePicked = store(NONE)((set) => ({
  pick: (files: readonly PickedFile[]) => set({ files, problem: null }),
  fail: (problem: string) => set({ files: null, problem }),
  clear: () => set(NONE),
}))

/** Hidden files in a folder are no payloads. */
const isShown = (path: string): boolean =>
  !path
    .split('/')
    .slice(1)
    .some((part) => part.startsWith('.'))

/** Files of an input; those of a folder have their path. */
export const filesOfInput = (files: Iterable<File>): readonly PickedFile[] =>
  [...files]
    .map((file) => ({ name: file.webkitRelativePath || file.name, file }))
    .filter(({ name }) => isShown(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

async function filesBelow(entry: FileSystemEntry): Promise<readonly PickedFile[]> {
  const name = entry.fullPath.replace(/^\//, '')
  if (!isShown(name)) return []
  if (isFile(entry))
    return [{ name, file: await new Promise<File>((found, fail) => entry.file(found, fail)) }]
  if (!isFolder(entry)) return []
  const reader = entry.createReader()
  const all: FileSystemEntry[] = []
  // A reader gives at most a hundred at once.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((found, fail) => reader.readEntries(found, fail))
    if (some.length === 0) break
    all.push(...some)
  }
  const lists: (readonly PickedFile[])[] = []
  for (const one of all.sort((a, b) => (a.name < b.name ? -1 : 1))) lists.push(await filesBelow(one))
  return lists.flat()
}

/** Dropped files, and those of dropped folders. Call it while the drop is handled: afterwards the data is gone. @throws when one cannot be read */
export async function filesOfDrop(data: DataTransfer): Promise<readonly PickedFile[]> {
  const found = [...data.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const lists = await Promise.all(
    found.map(({ entry, file }) => (entry ? filesBelow(entry) : file ? [{ name: file.name, file }] : [])),
  )
  return lists.flat()
}
