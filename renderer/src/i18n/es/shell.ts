import type { shell as english } from '../en/shell.ts'
import type { Spanish } from '../translation.ts'

export const shell: Spanish<typeof english> = {}
