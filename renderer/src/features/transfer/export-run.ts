import { useEffect, useRef, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import type { OpenExport } from '#contract/transfer.ts'
import { api, host } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { beginFile, type Draft } from '@/shared/platform/save.ts'

export type ExportRun =
  | {
      readonly state: 'asking'
      readonly busy: boolean
      readonly refusal: Refusal | null
      readonly cancelled: boolean
    }
  /** `of`: null until counted. */
  | { readonly state: 'writing'; readonly written: number; readonly of: number | null }
  | { readonly state: 'done'; readonly written: number; readonly place: string }

const ASKING = { state: 'asking', busy: false, refusal: null, cancelled: false } as const

/** A slow filter may find nothing for minutes; a stop need not wait for it. */
const stoppable = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.onabort = stop
    work.then(resolve, reject)
  })

async function write(
  draft: Draft,
  params: OpenExport,
  first: number,
  signal: AbortSignal,
  onWritten: (written: number) => void,
): Promise<number> {
  let id = first
  const read = () => stoppable(api.call('export.read', { id }), signal)
  try {
    // The host forgets an export that is not read for a minute, and a user may take longer for a place.
    let piece = await read().catch(async (error: unknown) => {
      if (signal.aborted || refusalOf(error).code !== 'not-found') throw error
      id = (await api.call('export.open', params)).id
      return read()
    })
    for (; !piece.done; piece = await read()) {
      await draft.write(piece.bytesBase64)
      onWritten(piece.written)
    }
    await draft.finish()
    return piece.written
  } catch (error) {
    await draft.discard()
    throw error
  } finally {
    api.call('export.close', { id }).catch(() => undefined)
  }
}

/** Writes an export to a file of the user's choice. Leaving the view cancels it. */
export function useExportRun() {
  const [run, setRun] = useState<ExportRun>(ASKING)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const start = async (params: OpenExport) => {
    stop.current = new AbortController()
    const { signal } = stop.current
    const ended = (refusal: Refusal | null) => setRun({ ...ASKING, refusal, cancelled: signal.aborted })
    setRun({ ...ASKING, busy: true })
    try {
      // Before the place: a wrong filter must not leave an empty file.
      const { id, name, mediaType, deliveries: of } = await api.call('export.open', params)
      const draft = await beginFile(host().files, name, mediaType)
      if (!draft) {
        api.call('export.close', { id }).catch(() => undefined)
        return ended(null)
      }
      setRun({ state: 'writing', written: 0, of })
      const written = await write(draft, params, id, signal, (now) =>
        setRun({ state: 'writing', written: now, of }),
      )
      setRun({ state: 'done', written, place: draft.place })
    } catch (error) {
      ended(signal.aborted ? null : refusalOf(error))
    }
  }
  return { run, start, cancel: () => stop.current.abort() }
}
