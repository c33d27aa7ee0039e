import type { Spanish } from '@/shared/i18n/translation.ts'
import type { errors as english } from '@/shared/texts/en/errors.ts'

export const errors: Spanish<typeof english> = {
  'bad-params': 'Algún valor no es válido: {{message}}',
  'unknown-command': 'Esta ventana y su servidor son de versiones distintas. Recargue la ventana.',
  'not-found': 'Ya no existe: {{message}}',
  'bad-filter': 'El filtro no es válido: {{message}}',
  conflict: 'No es compatible con lo que ya hay: {{message}}',
  'not-available': 'Ahora mismo no está disponible: {{message}}',
  forbidden: 'Esta ventana ya no tiene sesión. Ejecute «acuse link» y abra el enlace que imprime.',
  'store-failed': 'La base de datos falló: {{message}}',
  'in-use': 'Está en uso por otro programa: {{message}}',
  'newer-schema': 'Los datos son de una versión más nueva de Acuse: {{message}}',
  internal: 'Algo falló dentro de Acuse: {{message}}',
}
