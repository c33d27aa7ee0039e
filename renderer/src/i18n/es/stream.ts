import type { stream as english } from '../en/stream.ts'
import type { Spanish } from '../translation.ts'

export const stream: Spanish<typeof english> = {}
