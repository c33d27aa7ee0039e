import { useEffect, useState } from 'react'
import type { GivenFile } from '@/shared/live/over.ts'
import { checkFile } from './file-check-client.ts'
import type { FileAnalysis } from './file-check-protocol.ts'

/** As much as the receiver takes of one delivery. */
export const MOST_BYTES = 25 * 1024 * 1024

export type FileCheck =
  | { readonly state: 'none' }
  | { readonly state: 'reading' }
  | {
      readonly state: 'refused'
      readonly because: 'folder' | 'large' | 'unreadable'
      readonly detail: string
    }
  | { readonly state: 'done'; readonly analysis: FileAnalysis }

/** What is to be said of what was given, without looking into it; null when it is to be read. */
function refusalOf(given: GivenFile): FileCheck | null {
  if (!given.file) return { state: 'refused', because: 'folder', detail: '' }
  if (given.file.size > MOST_BYTES) return { state: 'refused', because: 'large', detail: '' }
  return null
}

/** Reads and judges what was given; another file, or none any more, gives the reading up. */
export function useFileCheck(given: GivenFile | null): FileCheck {
  const [check, setCheck] = useState<FileCheck>({ state: given ? 'reading' : 'none' })
  useEffect(() => {
    if (!given) return setCheck({ state: 'none' })
    const refused = refusalOf(given)
    if (refused || !given.file) return setCheck(refused ?? { state: 'none' })
    setCheck({ state: 'reading' })
    const giveUp = new AbortController()
    checkFile(given.file, giveUp.signal).then(
      (analysis) => setCheck({ state: 'done', analysis }),
      (error: unknown) => {
        if (giveUp.signal.aborted) return
        const detail = error instanceof Error ? error.message : String(error)
        setCheck({ state: 'refused', because: 'unreadable', detail })
      },
    )
    return () => giveUp.abort()
  }, [given])
  return check
}
