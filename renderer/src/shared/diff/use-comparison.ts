import { useEffect, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import type { ComparedPair } from '@/shared/live/layers.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import type { Comparison, DiffReply, DiffRequest } from './diff-protocol.ts'
import { type Loaded, loadPair } from './load-pair.ts'

/**
 * Compares two bodies in a worker of their own, which ends with the comparison or with `signal`.
 * @throws Error when the worker fails (memory, mostly), AbortError when it was given up
 */
function compareBodies(
  left: Uint8Array,
  right: Uint8Array,
  ignored: readonly string[],
  signal: AbortSignal,
): Promise<Comparison> {
  const worker = new Worker(new URL('./diff-worker.ts', import.meta.url), { type: 'module', name: 'diff' })
  return new Promise<Comparison>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    worker.addEventListener('message', ({ data }: MessageEvent<DiffReply>) =>
      'error' in data ? reject(new Error(data.error)) : resolve(data.result),
    )
    worker.addEventListener('error', (event) => reject(new Error(event.message || 'the comparison failed')))
    const request: DiffRequest = { left: copyOf(left), right: copyOf(right), ignored }
    worker.postMessage(request, [request.left, request.right])
  }).finally(() => worker.terminate())
}

/** The bytes are compared again when what is ignored changes, so they must not be handed over themselves. */
const copyOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

export interface UsedComparison {
  readonly loaded: Loaded | null
  /** Null while the worker compares. The last one stays until another is there. */
  readonly comparison: Comparison | null
  readonly refusal: Refusal | null
}

/** Reads two deliveries and compares their bodies; again when what is ignored changes. */
export function useComparison(pair: ComparedPair, ignored: readonly string[]): UsedComparison {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [comparison, setComparison] = useState<Comparison | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  useEffect(() => {
    const given = new AbortController()
    setLoaded(null)
    setComparison(null)
    setRefusal(null)
    loadPair(pair, given.signal).then(
      (result) => given.signal.aborted || setLoaded(result),
      (error: unknown) => given.signal.aborted || setRefusal(refusalOf(error)),
    )
    return () => given.abort()
  }, [pair])
  useEffect(() => {
    if (loaded?.state !== 'loaded') return
    const given = new AbortController()
    compareBodies(loaded.left.body, loaded.right.body, ignored, given.signal).then(
      (result) => given.signal.aborted || setComparison(result),
      (error: unknown) => given.signal.aborted || setRefusal(refusalOf(error)),
    )
    return () => given.abort()
  }, [loaded, ignored])
  return { loaded, comparison, refusal }
}
