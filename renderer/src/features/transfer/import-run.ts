import { useEffect, useRef, useState } from 'react'
import { messageOf, type Refusal } from '#contract/errors.ts'
import type { ImportState } from '#contract/transfer.ts'
import { base64Of } from '#core/copy/copy.ts'
import { api } from '@/shared/live/api.ts'
import { RefusalError, refusalOf } from '@/shared/platform/refusal-error.ts'
import type { PickedFile } from './picked-files.ts'

const PIECE = 1024 * 1024
const POLL_MS = 250

export interface Imported {
  readonly name: string
  /** Null when the import of the file could not begin. */
  readonly state: ImportState | null
  readonly refusal: Refusal | null
}

export type ImportRun =
  | { readonly state: 'choosing' }
  /** `sent`: bytes of the present file. `found`: deliveries imported from it; null while it is being sent. */
  | { readonly state: 'running'; readonly at: number; readonly sent: number; readonly found: number | null }
  | { readonly state: 'done'; readonly results: readonly Imported[]; readonly cancelled: boolean }

type Tell = (sent: number, found: number | null) => void

async function piece(file: File, from: number): Promise<string> {
  try {
    return base64Of(new Uint8Array(await file.slice(from, from + PIECE).arrayBuffer()))
  } catch (error) {
    // The file was changed or removed since it was picked.
    const details = { why: 'file-unread', path: file.name, system: messageOf(error) }
    throw new RefusalError({
      code: 'not-available',
      message: `${file.name} cannot be read: ${details.system}`,
      details,
    })
  }
}

async function importOne(
  { name, file }: PickedFile,
  endpoint: string,
  signal: AbortSignal,
  tell: Tell,
): Promise<Imported> {
  let id: number | undefined
  const end = async () => (id === undefined ? null : await api.call('import.close', { id }))
  try {
    const modifiedAt = Math.max(0, file.lastModified)
    id = (await api.call('import.open', { name: file.name, modifiedAt, endpoint })).id
    for (let at = 0; at < file.size && !signal.aborted; at += PIECE) {
      tell(at, null)
      await api.call('import.write', { id, bytesBase64: await piece(file, at) })
    }
    let state = signal.aborted ? null : await api.call('import.run', { id })
    while (state?.state === 'reading' && !signal.aborted) {
      tell(file.size, state.imported)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      state = await api.call('import.get', { id })
    }
    return { name, state: await end(), refusal: null }
  } catch (error) {
    return { name, state: await end().catch(() => null), refusal: refusalOf(error) }
  }
}

/** Imports files one after the other. Leaving the view cancels; what was imported stays. */
export function useImportRun() {
  const [run, setRun] = useState<ImportRun>({ state: 'choosing' })
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const start = async (files: readonly PickedFile[], endpoint: string) => {
    stop.current = new AbortController()
    const { signal } = stop.current
    const results: Imported[] = []
    for (const [at, file] of files.entries()) {
      if (signal.aborted) break
      const tell: Tell = (sent, found) => setRun({ state: 'running', at, sent, found })
      tell(0, null)
      results.push(await importOne(file, endpoint, signal, tell))
    }
    setRun({ state: 'done', results, cancelled: signal.aborted })
  }
  return {
    run,
    start,
    cancel: () => stop.current.abort(),
    again: () => setRun({ state: 'choosing' }),
  }
}
