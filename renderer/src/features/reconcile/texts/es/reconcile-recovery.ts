import type { recovery as english } from '@/features/reconcile/texts/en/reconcile-recovery.ts'
import type { Spanish } from '@/shared/i18n/translation.ts'

export const recovery: Spanish<typeof english> = {
  actions: {
    ignore: 'Ignorar con un motivo…',
    rebuild: 'Reconstruir eventos…',
    rebuildClasses: 'Reconstruir y repetir…',
  },
  annotate: {
    ignoreTitle_one: 'Ignorar {{count, number}} documento',
    ignoreTitle_many: 'Ignorar {{count, number}} documentos',
    ignoreTitle_other: 'Ignorar {{count, number}} documentos',
    ignoreText: 'Quedan en su clase y llevan una marca. Vale para los barridos siguientes de esta conexión.',
    reason: 'Porque',
    noteTitle: 'Nota sobre {{number}}',
    noteText: 'Queda con el documento, también en los barridos siguientes de esta conexión.',
    note: 'Nota',
    save: 'Guardar',
    ignore: 'Ignorar',
    takeBack: 'Dejar de ignorar',
    removeNote: 'Quitar la nota',
  },
  recovery: {
    title: 'Reconstruir eventos perdidos',
    text: 'Los eventos perdidos se hacen de nuevo con los registros del servicio: el sobre documentado, con los campos que tenga cada registro. Se guardan como entregas sintéticas y en todas partes se distinguen de las capturadas.',
    would_one: 'Se reconstruiría {{count, number}} evento,',
    would_many: 'Se reconstruirían {{count, number}} eventos,',
    would_other: 'Se reconstruirían {{count, number}} eventos,',
    of_one: 'de {{count, number}} documento.',
    of_many: 'de {{count, number}} documentos.',
    of_other: 'de {{count, number}} documentos.',
    nothing: 'Aquí no hay nada que reconstruir.',
    absent: 'Campos que quedan ausentes',
    absentText: 'Los registros no los tienen; no se inventa nada.',
    kind: 'Evento',
    field: 'Campo',
    events: 'Eventos',
    left: 'Quedan fuera',
    reason: {
      'kind-unknown':
        'el registro no dice qué evento sería; la conexión puede decirlo de su tipo de documento (Ajustes > Conexiones)',
      'no-document-id': 'el registro no tiene id. de documento',
      'only-possibly-missed': 'solo quizá perdidos',
      'already-rebuilt': 'ya reconstruidos',
      ignored: 'ignorados con un motivo',
      invalid: 'lo que saldría incumple una regla documentada',
    },
    documents_one: '{{count, number}} documento: {{reason}}',
    documents_many: '{{count, number}} documentos: {{reason}}',
    documents_other: '{{count, number}} documentos: {{reason}}',
    rebuild_one: 'Reconstruir {{count, number}} evento',
    rebuild_many: 'Reconstruir {{count, number}} eventos',
    rebuild_other: 'Reconstruir {{count, number}} eventos',
    done_one: 'Se reconstruyó {{count, number}} evento.',
    done_many: 'Se reconstruyeron {{count, number}} eventos.',
    done_other: 'Se reconstruyeron {{count, number}} eventos.',
    next: 'Repítalos hacia su aplicación; después se ven aquí sus respuestas.',
    replay: 'Repetirlos…',
  },
  limits: {
    title: 'Qué no puede probar una conciliación',
    kinds:
      'Los 12 tipos de cotizaciones, clientes, suplidores y productos: las rutas de sincronización no listan aquello de lo que tratan.',
    superseded:
      'Un evento perdido al que otro posterior sustituyó no deja rastro en el registro del servicio. Ninguna herramienta puede hallarlo por estas rutas.',
    treasury: 'treasury-sync solo lista deudas: lo que no lista no se ha perdido por eso.',
    updates:
      'Una actualización solo puede estar quizá perdida: explica otros valores, pero también los cambian los pagos y las notas.',
    rules:
      'Donde a un registro le falta lo que una regla necesita, Acuse dice que no se puede saber, y no cuenta nada.',
    dates:
      'Un rango va por fecha de emisión. Un documento del que solo se capturaron anulaciones o eventos de la DGII no la tiene: es una clase aparte.',
    deleted:
      'Una entrega que se borró aquí cuenta como no capturada; los indicios junto al documento dicen cuántas se borraron.',
  },
}
