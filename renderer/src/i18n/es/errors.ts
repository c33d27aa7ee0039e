import type { errors as english } from '../en/errors.ts'
import type { Spanish } from '../translation.ts'

export const errors: Spanish<typeof english> = {}
