import type { settings as english } from '../en/settings.ts'
import type { Spanish } from '../translation.ts'

export const settings: Spanish<typeof english> = {}
