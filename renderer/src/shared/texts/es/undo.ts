import type { Spanish } from '@/shared/i18n/translation.ts'
import type { undo as english } from '@/shared/texts/en/undo.ts'

export const undo: Spanish<typeof english> = {
  undo: 'Deshacer',
  undone: 'Deshecho.',
  say: '{{text}} {{keys}} lo deshace.',
  failed: 'No se pudo deshacer. {{reason}}',
  removed: {
    filter: 'Se quitó el filtro guardado «{{name}}».',
    target: 'Se quitó el destino «{{name}}».',
    endpoint: 'Se quitó el punto de recepción «{{name}}».',
    forward: 'Se quitó el reenvío «{{name}}».',
    schedule: 'Se quitó la programación de «{{name}}».',
    connection: 'Se quitó la conexión «{{name}}».',
    fault: 'Se terminó el fallo «{{name}}».',
    deliveries_one: 'Se eliminó {{count, number}} entrega.',
    deliveries_many: 'Se eliminaron {{count, number}} de entregas.',
    deliveries_other: 'Se eliminaron {{count, number}} entregas.',
    faults_one: 'Se terminó {{count}} fallo.',
    faults_many: 'Se terminaron {{count}} fallos.',
    faults_other: 'Se terminaron {{count}} fallos.',
  },
}
