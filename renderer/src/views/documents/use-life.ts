import { useEffect, useState } from 'react'
import type { DocumentLife } from '#contract/documents.ts'
import type { Refusal } from '#contract/errors.ts'
import { api } from '@/live/api.ts'
import { list } from '@/live/list.ts'
import { refusalOf } from '@/platform/refusal-error.ts'

const RENEW_MS = 1_500

/** The life of a document, read again while deliveries arrive. The former one stays until the next has come. */
export function useLife(key: string): {
  readonly life: DocumentLife | null
  readonly refusal: Refusal | null
} {
  const [state, setState] = useState<{ life: DocumentLife | null; refusal: Refusal | null }>({
    life: null,
    refusal: null,
  })
  useEffect(() => {
    let current = true
    let timer: ReturnType<typeof setTimeout> | undefined
    let known = ''
    const read = async () => {
      try {
        const life = await api.call('documents.get', { key })
        const text = JSON.stringify(life)
        if (current && text !== known) setState({ life, refusal: null })
        known = text
      } catch (error) {
        if (current) setState({ life: null, refusal: refusalOf(error) })
      }
    }
    const stop = list.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        void read()
      }, RENEW_MS)
    })
    void read()
    return () => {
      current = false
      clearTimeout(timer)
      stop()
    }
  }, [key])
  return state
}
