import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { refused } from '#contract/errors.ts'
import { fileTrouble } from '#core/file-trouble.ts'

/**
 * A file that the user named, while it is being written. It gets its name only when it is complete: until then it has another one beside it,
 * and a discarded one leaves nothing. Only the owner may read it. The methods throw the file system's error, see `unwritten`.
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

  static async begin(path: string): Promise<DraftFile> {
    const draft = `${path}.${process.pid}.part`
    return new DraftFile(path, draft, await open(draft, 'wx', 0o600))
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#file.writeFile(bytes)
  }

  async finish(): Promise<void> {
    await this.#file.sync()
    await this.#file.close()
    await rename(this.#draft, this.path)
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined)
    await rm(this.#draft, { force: true })
  }
}

export const unwritten = (path: string, error: unknown) =>
  refused('store-failed', 'file-unwritten', { path, system: fileTrouble(error, 'written') })
