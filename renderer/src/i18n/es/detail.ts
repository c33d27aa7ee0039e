import type { detail as english } from '../en/detail.ts'
import type { Spanish } from '../translation.ts'

export const detail: Spanish<typeof english> = {}
