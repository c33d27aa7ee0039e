import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { refused } from '#contract/errors.ts'
import { fileTrouble } from '#core/file-trouble.ts'

/**
 * A file that the user named, while it is being written. It gets its name only when it is complete: until then it has another one beside it,
 * and a discarded one leaves nothing. Only the owner may read it. A link leads to its file, and a device or a pipe is written to and stays.
 * The methods throw the file system's error, see `unwritten`.
 */
export class DraftFile {
  readonly path: string
  readonly #draft: string
  readonly #file: FileHandle

  private constructor(path: string, draft: string, file: FileHandle) {
    this.path = path
    this.#draft = draft
    this.#file = file
  }

  static async begin(named: string): Promise<DraftFile> {
    const there = await stat(named).catch(() => null)
    // Of a folder this gives the system's error.
    if (there && !there.isFile()) return new DraftFile(named, named, await open(named, 'w'))
    const path = there ? await realpath(named) : named
    const draft = `${path}.${process.pid}.part`
    return new DraftFile(path, draft, await open(draft, 'wx', 0o600))
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#file.writeFile(bytes)
  }

  async finish(): Promise<void> {
    if (this.#draft === this.path) return this.#file.close()
    await this.#file.sync()
    await this.#file.close()
    await rename(this.#draft, this.path)
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined)
    if (this.#draft !== this.path) await rm(this.#draft, { force: true })
  }
}

export const unwritten = (path: string, error: unknown) =>
  refused('store-failed', 'file-unwritten', { path, system: fileTrouble(error, 'written') })
