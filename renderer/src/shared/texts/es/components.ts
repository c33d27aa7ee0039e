import type { Spanish } from '@/shared/i18n/translation.ts'
import type { components as english } from '@/shared/texts/en/components.ts'

export const components: Spanish<typeof english> = {
  copy: { label: 'Copiar', copied: 'Copiado', failed: 'No se pudo usar el portapapeles' },
  headers: {
    add: 'Agregar cabecera',
    name: 'Nombre de la cabecera {{number}}',
    nameHint: 'Nombre',
    value: 'Valor de la cabecera {{number}}',
    valueHint: 'Valor',
    kept: 'se conserva: {{value}}',
    secret: 'Secreta',
    remove: 'Quitar la cabecera {{number}}',
  },
}
