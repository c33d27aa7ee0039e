import type { BodySource } from '@/shared/body/open-body.ts'
import { api } from '@/shared/live/api.ts'

/** The body of an attempt's request or of its answer. */
export function attemptBody(id: number, of: 'request' | 'answer'): BodySource {
  return {
    key: `attempt/${id}/${of}`,
    read: (from, length) => api.call('attempts.body', { id, of, from, length }),
  }
}
