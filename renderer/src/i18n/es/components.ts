import type { components as english } from '../en/components.ts'
import type { Spanish } from '../translation.ts'

export const components: Spanish<typeof english> = {
  copy: { label: 'Copiar', copied: 'Copiado', failed: 'No se pudo usar el portapapeles' },
}
