import { messageOf } from '#contract/errors.ts'
import { bytesOf } from '#core/copy/copy.ts'
import { RefusalError } from './refusal-error.ts'
import type { Answered, HostFiles } from './types.ts'

declare global {
  interface Window {
    /** Of browsers with the File System Access API, in secure contexts. */
    showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<FileSystemFileHandle>
  }
  interface FileSystemFileHandle {
    remove?(): Promise<void>
  }
}

/** A file while it is being written. It is complete only after `finish`; a discarded one leaves nothing. */
export interface Draft {
  /** Its path, or its name where the page may not know more. */
  readonly place: string
  write(bytesBase64: string): Promise<unknown>
  finish(): Promise<unknown>
  discard(): Promise<unknown>
}

/**
 * Asks the user where to save. The file goes to the disk in pieces as they come.
 * @param files of the platform @returns null when the user cancels @throws RefusalError
 */
export async function beginFile(
  files: HostFiles | undefined,
  name: string,
  mediaType: string,
): Promise<Draft | null> {
  if (files) return ofHost(files, name)
  try {
    const handle = await window.showSaveFilePicker?.({ suggestedName: name })
    if (handle) return await ofPicker(handle)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    // Without a recent press the browser shows no dialog.
    if (!(error instanceof DOMException && error.name === 'SecurityError')) throw unwritable(name, error)
  }
  return ofDownload(name, mediaType)
}

async function answered<T>(asked: Promise<Answered<T>>): Promise<T> {
  const answer = await asked
  if (!answer.ok) throw new RefusalError(answer.refusal)
  return answer.result
}

/** Asks the user for a folder. @returns its path; null when the user cancels @throws RefusalError */
export const pickFolder = (files: HostFiles): Promise<string | null> => answered(files.folder())

async function ofHost(files: HostFiles, name: string): Promise<Draft | null> {
  const begun = await answered(files.begin(name))
  if (!begun) return null
  const { id, path } = begun
  return {
    place: path,
    write: (bytes) => answered(files.write(id, bytes)),
    finish: () => answered(files.end(id, true)),
    discard: () => answered(files.end(id, false)),
  }
}

async function ofPicker(handle: FileSystemFileHandle): Promise<Draft> {
  const place = handle.name
  // The browser writes to another file, which replaces the empty one of the dialog at the end.
  const stream = await handle.createWritable()
  const writing = (work: Promise<void>) =>
    work.catch((error: unknown) => Promise.reject(unwritable(place, error)))
  return {
    place,
    write: (bytes) => writing(stream.write(bytesOf(bytes))),
    finish: () => writing(stream.close()),
    discard: async () => {
      await stream.abort().catch(() => undefined)
      await handle.remove?.()
    },
  }
}

/** The browser keeps a large blob of a response on its disk. */
function ofDownload(name: string, type: string): Draft {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
  const whole = new Response(readable, { headers: { 'Content-Type': type } }).blob()
  whole.catch(() => undefined)
  const writer = writable.getWriter()
  return {
    place: name,
    write: (bytes) => writer.write(bytesOf(bytes)),
    finish: async () => {
      await writer.close()
      download(name, await whole)
    },
    discard: () => writer.abort(),
  }
}

const unwritable = (path: string, error: unknown) =>
  new RefusalError({
    code: 'store-failed',
    message: `${path} cannot be written: ${messageOf(error)}.`,
    details: { why: 'file-unwritten', path, system: messageOf(error) },
  })

function download(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken hold of the blob by the time this comes round.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Hands text to the browser as a file to be saved. */
export const saveText = (name: string, type: string, text: string): void =>
  download(name, new Blob([text], { type }))
