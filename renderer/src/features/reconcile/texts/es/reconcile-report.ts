import type { report as english } from '@/features/reconcile/texts/en/reconcile-report.ts'
import type { Spanish } from '@/shared/i18n/translation.ts'

export const report: Spanish<typeof english> = {
  open: 'Informe…',
  title: 'Informe de esta conciliación',
  text: 'El barrido {{id, number}} tal como se compara ahora, en un archivo para entregar.',
  format: 'Formato',
  formats: { html: 'HTML', csv: 'CSV', json: 'JSON', markdown: 'Markdown' },
  formatHint: {
    html: 'Una sola página sin scripts que abre en cualquier navegador, hecha para imprimirse.',
    csv: 'Una línea por documento, para hojas de cálculo. No lleva ni conteos ni método.',
    json: 'Para programas: nombres como en los comandos de Acuse, horas en UTC.',
    markdown: 'Para tickets, wikis y correos.',
  },
  language: 'Idioma',
  languages: { en: 'English', es: 'Español' },
  cover: 'Cubrir los datos personales',
  coverHint:
    'De los nombres de clientes y suplidores quedan la primera letra y la longitud. Los id., números, fechas y montos quedan, o nadie podría buscar un documento; las notas quedan como se escribieron.',
  openHint: 'Quien reciba el archivo podrá leer los nombres de clientes y suplidores.',
  holds: 'Qué contiene',
  parts: {
    scope: 'Qué se comparó, con quién y cómo',
    counts: 'Documentos de cada clase, eventos perdidos, dinero en juego',
    documents_one: '{{count, number}} documento que no coincide, con indicios y lo que se hizo con él',
    documents_many: '{{count, number}} documentos que no coinciden, con indicios y lo que se hizo con ellos',
    documents_other: '{{count, number}} documentos que no coinciden, con indicios y lo que se hizo con ellos',
    limits: 'Lo que ninguna comparación puede saber',
  },
  most: 'Solo se listan los primeros {{most, number}} por fecha de emisión; otros {{count, number}} quedan contados, y el informe lo dice. Haga un barrido de un rango más corto para listarlos todos.',
  save: 'Guardar el informe',
  making_one:
    'Reuniendo los indicios de {{count, number}} documento. Mientras tanto, Acuse sigue capturando.',
  making_many:
    'Reuniendo los indicios de {{count, number}} documentos. Mientras tanto, Acuse sigue capturando.',
  making_other:
    'Reuniendo los indicios de {{count, number}} documentos. Mientras tanto, Acuse sigue capturando.',
  made: 'El informe está hecho: {{name}}',
  listed_one: 'Lista {{count, number}} documento.',
  listed_many: 'Lista {{count, number}} documentos.',
  listed_other: 'Lista {{count, number}} documentos.',
}
