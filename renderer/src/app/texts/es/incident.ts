import type { incident as english } from '@/app/texts/en/incident.ts'
import type { Spanish } from '@/shared/i18n/translation.ts'

export const incident: Spanish<typeof english> = {
  title: {
    damaged: 'La base de datos se dañó el {{when}} y se apartó.',
    missing: 'La base de datos estaba vacía o no estaba el {{when}}.',
    moved: 'Otro programa quitó o reemplazó la base de datos el {{when}}.',
  },
  text: {
    damaged: 'Una nueva tomó su lugar; no se borró nada.',
    missing: 'Una nueva tomó su lugar sin las entregas anteriores. Si tiene una copia, restáurela.',
    moved: 'Se escribió de nuevo con lo que Acuse aún tenía abierto; no se perdió ninguna entrega.',
  },
  reason: 'Motivo: {{reason}}',
  aside: 'Apartada',
  fresh: 'En uso ahora',
  salvage: 'Recuperar lo que se pueda leer',
  running_one: 'Recuperando… {{formatted}} entrega hasta ahora',
  running_many: 'Recuperando… {{formatted}} de entregas hasta ahora',
  running_other: 'Recuperando… {{formatted}} entregas hasta ahora',
  done_one: 'Se recuperó {{formatted}} entrega.',
  done_many: 'Se recuperaron {{formatted}} de entregas.',
  done_other: 'Se recuperaron {{formatted}} entregas.',
  failed: 'No se pudo leer nada más. Los archivos siguen donde están.',
}
