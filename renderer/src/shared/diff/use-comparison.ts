import { useEffect, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import type { ComparedPair } from '@/shared/live/compare.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { compareBodies } from './diff-client.ts'
import type { Comparison } from './diff-protocol.ts'
import { type Loaded, loadPair } from './load-pair.ts'

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
