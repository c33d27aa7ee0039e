import type { components as english } from '../en/components.ts'
import type { Spanish } from '../translation.ts'

export const components: Spanish<typeof english> = {}
