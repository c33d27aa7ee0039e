import type { document as english } from '@/features/delivery/texts/en/detail-document.ts'
import type { Spanish } from '@/shared/i18n/translation.ts'

export const document: Spanish<typeof english> = {
  untitled: 'Sin número',
  copyId: 'Copiar el id del documento',
  inList: 'Ver en la lista',
  life: 'Entregas de este documento, en el orden en que llegaron',
  count_one: '{{count, number}} entrega de este documento, por orden de llegada',
  count_many: '{{count, number}} de entregas de este documento, por orden de llegada',
  count_other: '{{count, number}} entregas de este documento, por orden de llegada',
  atLeast_one: 'La primera {{count, number}} entrega de este documento',
  atLeast_many: 'Las primeras {{count, number}} de entregas de este documento',
  atLeast_other: 'Las primeras {{count, number}} entregas de este documento',
  this: 'esta',
  status: 'StatusId {{status}}',
  attempts_one: '{{count, number}} intento',
  attempts_many: '{{count, number}} de intentos',
  attempts_other: '{{count, number}} intentos',
  compare: 'Comparar',
  compareLabel: 'Comparar #{{left}} con #{{right}}',
  later: '{{time}} después',
  more: 'Ver más',
}
