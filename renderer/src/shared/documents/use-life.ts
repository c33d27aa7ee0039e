import { list } from '@/shared/deliveries/list.ts'
import { useAnswer, useGathered } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'

const RENEW_MS = 1_500

/** The life of a document, read again while deliveries arrive. */
export function useLife(key: string) {
  const { data, refusal, renew } = useAnswer(key, async () => ({
    life: await api.call('documents.get', { key }),
  }))
  useGathered(list.subscribe, RENEW_MS, renew)
  // Without a life no delivery of the document is stored.
  return { life: data?.life ?? null, absent: data?.life === null, refusal }
}
