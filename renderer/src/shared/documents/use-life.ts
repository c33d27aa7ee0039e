import { useEffect, useState } from 'react'
import type { DocumentLife } from '#contract/documents.ts'
import type { Refusal } from '#contract/errors.ts'
import { list } from '@/shared/deliveries/list.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

const RENEW_MS = 1_500

interface Known {
  /** Null while it loads, after a refusal, and when no delivery of the document is stored. */
  readonly life: DocumentLife | null
  /** The engine answered that no delivery of the document is stored. */
  readonly absent: boolean
  readonly refusal: Refusal | null
}

/** The life of a document, read again while deliveries arrive. The former one stays until the next is read. */
export function useLife(key: string): Known {
  const [state, setState] = useState<Known>({ life: null, absent: false, refusal: null })
  useEffect(() => {
    let current = true
    let timer: ReturnType<typeof setTimeout> | undefined
    let known = ''
    const read = async () => {
      try {
        const life = await api.call('documents.get', { key })
        const text = JSON.stringify(life)
        if (current && text !== known) setState({ life, absent: life === null, refusal: null })
        known = text
      } catch (error) {
        known = ''
        if (current) setState({ life: null, absent: false, refusal: refusalOf(error) })
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
