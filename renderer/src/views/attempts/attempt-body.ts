import { api } from '@/live/api.ts'
import type { BodySource } from '@/views/detail/open-body.ts'

/** The body of an attempt's request or of its answer. */
export function attemptBody(id: number, of: 'request' | 'answer'): BodySource {
  return {
    key: `attempt/${id}/${of}`,
    read: (from, length) => api.call('attempts.body', { id, of, from, length }),
  }
}
