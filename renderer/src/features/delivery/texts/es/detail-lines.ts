import type * as english from '@/features/delivery/texts/en/detail-lines.ts'
import type { Spanish } from '@/shared/i18n/translation.ts'

export const lines: Spanish<typeof english.lines> = {
  table: 'Líneas del documento',
  line: 'Línea {{number}}',
  close: 'Cerrar la línea',
  empty: 'La lista está vacía.',
  count_one: '{{count, number}} línea',
  count_many: '{{count, number}} de líneas',
  count_other: '{{count, number}} líneas',
  atLeast_one: 'al menos {{count, number}} línea',
  atLeast_many: 'al menos {{count, number}} de líneas',
  atLeast_other: 'al menos {{count, number}} líneas',
  adding: ' · sumando…',
  below: 'La línea elegida y las sumas',
  totals: 'Totales',
  partSum_one: 'Suma de {{count, number}} línea de {{lines, number}}; las demás no traen ahí un número',
  partSum_many: 'Suma de {{count, number}} de líneas de {{lines, number}}; las demás no traen ahí un número',
  partSum_other: 'Suma de {{count, number}} líneas de {{lines, number}}; las demás no traen ahí un número',
  marked_one: '{{count, number}} línea con hallazgos',
  marked_many: '{{count, number}} de líneas con hallazgos',
  marked_other: '{{count, number}} líneas con hallazgos',
  previous: 'Línea anterior con hallazgos',
  next: 'Línea siguiente con hallazgos',
  moreUnknown_one: 'Hay {{shown}} campo no documentado más sin columna; la línea elegida lo muestra.',
  moreUnknown_many: 'Hay {{shown}} de campos no documentados más sin columna; la línea elegida los muestra.',
  moreUnknown_other: 'Hay {{shown}} campos no documentados más sin columna; la línea elegida los muestra.',
  readableOnly:
    'Solo se puede leer el principio de la lista, así que no se suma nada; el original dice dónde termina.',
  wholeOnly: 'Los totales se muestran cuando está cargado el cuerpo entero.',
}

export const sums: Spanish<typeof english.sums> = {
  title: 'Sumas de las líneas junto a Accounting',
  explain:
    'Solo como información. La especificación no define ninguna aritmética, así que aquí no se juzga nada; qué corresponde a qué se deduce de los nombres de los campos.',
  sum: 'Líneas',
  sent: 'Como llegó',
  difference: 'Diferencia',
  same: 'ninguna',
  of: {
    all: 'Σ {{field}}',
    exempt: 'Σ {{field}} de las líneas exentas',
    taxable: 'Σ {{field}} de las demás líneas',
  },
  noSum: 'sin números',
  absent: 'ausente',
  noNumber: 'no es un número',
  unknown: 'No hay con qué comparar',
  without_one: '{{count, number}} de {{lines, number}} líneas no lo trae',
  without_many: '{{count, number}} de {{lines, number}} líneas no lo traen',
  without_other: '{{count, number}} de {{lines, number}} líneas no lo traen',
  unclear_one:
    'IsExempt de {{count, number}} línea no es ni true ni false; no está en ninguna de las dos sumas.',
  unclear_many:
    'IsExempt de {{count, number}} de líneas no es ni true ni false; no están en ninguna de las dos sumas.',
  unclear_other:
    'IsExempt de {{count, number}} líneas no es ni true ni false; no están en ninguna de las dos sumas.',
}

export const accounting: Spanish<typeof english.accounting> = {
  lead: 'El desglose contable de la cabecera, con los dígitos tal como llegaron.',
}
