import type { annotations as english } from '@/features/delivery/texts/en/annotations.ts'
import type { Spanish } from '@/shared/i18n/translation.ts'

export const annotations: Spanish<typeof english> = {
  tag: 'Etiqueta',
  addTag: 'Agregar una etiqueta',
  removeTag: 'Quitar «{{tag}}»',
  tagAll: 'Poner «{{tag}}» a todas',
  part: '{{n}} de {{of}}',
  noTags: 'Sin etiquetas todavía. Intro, un espacio o una coma terminan cada una.',
  notATag: 'Una etiqueta tiene de 1 a {{most}} caracteres, sin espacios, comas, comillas, paréntesis ni «*».',
  note: 'Nota',
  editNote: 'Editar la nota',
  notePlaceholder: '¿Qué conviene saber de esto?',
  noteHint: 'Esc la deja como borrador.',
  noteHintAll_one: 'Sustituye la nota que tenga esta entrega.',
  noteHintAll_many: 'Sustituye las notas que tengan estas {{formatted}} entregas.',
  noteHintAll_other: 'Sustituye las notas que tengan estas {{formatted}} entregas.',
  noteTooLong: 'La nota tiene {{length}} caracteres; {{most}} es el máximo. Acórtela.',
  saveNote: 'Guardar',
  discard: 'Descartar',
  unsaved: 'Sin guardar',
  of_one: '{{formatted}} entrega',
  of_many: '{{formatted}} entregas',
  of_other: '{{formatted}} entregas',
  noteOf: 'Nota sobre {{of}}',
  tagsOf: 'Etiquetas de {{of}}',
}
