import type { ReportWords } from './words-en.ts'

/** What a report says in Spanish, in the terms of Dominican accounting. Identifiers of the specification stay as they are. */
export const spanish: ReportWords = {
  lang: 'es',
  classes: {
    missing: 'sin capturar',
    differs: 'difiere',
    'webhook-only': 'solo webhook',
    'not-yet-due': 'aún en plazo',
    'date-unknown': 'sin fecha',
    'not-subscribed': 'no suscrito',
    'cannot-tell': 'no se puede saber',
    matched: 'coincide',
  },
  meanings: {
    missing: 'el servicio lo tiene y no se capturó ningún evento de su creación',
    differs: 'capturado, y el servicio dice ahora algo que ningún evento capturado informó',
    'webhook-only': 'capturado con fecha de emisión en el rango, y el servicio no lo lista',
    'not-yet-due': 'como sin capturar, pero tan reciente que su evento aún puede llegar',
    'date-unknown':
      'sus eventos capturados no llevan fecha de emisión, así que no se sabe si corresponde al rango',
    'not-subscribed':
      'no puede llegar ningún evento de su creación: la suscripción no incluye ese tipo de evento',
    'cannot-tell': 'no se pudo comparar ningún valor, así que nada dice si ambos lados coinciden',
    matched: 'se compararon valores y ambos lados coinciden',
  },
  notReached: 'no alcanzado',
  notReachedMeaning: 'capturado, emitido en fechas que el barrido no listó enteras: de él no se dice nada',
  rules: {
    'no-created': 'el servicio lo lista y no se capturó su evento de creación',
    'status-without-event': 'el servicio tiene la respuesta de la DGII y ningún evento la informó',
    'void-without-event': 'anulado en el servicio y no se capturó su evento de anulación',
    'values-differ': 'los valores difieren de los últimos capturados',
    'note-explains':
      'los montos cambiaron después de la última modificación capturada, y lo explica una nota de crédito o de débito capturada',
    'amount-due': 'solo difiere AmountDue, que los pagos cambian',
    'void-not-in-service': 'se capturó un evento de anulación, y en el servicio no está anulado',
    'changed-since':
      'un evento capturado después de iniciarse este barrido informa otros valores; barra otra vez',
    'not-listed': 'capturado con fecha de emisión en el rango, y el servicio no lo lista',
    'no-issue-date': 'sus eventos capturados no llevan fecha de emisión',
    'not-subscribed':
      'no puede llegar ningún evento de su creación: la suscripción no incluye ese tipo de evento',
    'nothing-compared':
      'los eventos capturados y el servicio no tienen en común ningún valor que se pudiera comparar',
    'not-identified': 'el registro no trae id de documento ni Number donde se buscaron',
    'other-ids':
      'el registro no trae Number y ningún evento capturado trae alguno de los id del servicio, así que puede estar capturado',
    'items-not-identified':
      'no está listado por id, pero el servicio lista registros que no se pueden unir con eventos, y puede ser uno de ellos',
  },
  cannot: {
    'no-created': 'si se perdió su creación',
    'status-without-event':
      'si se perdió un evento de estado (el registro del servicio no trae estado, no trae id con que unirlo, o no dice qué documento es)',
    'void-without-event':
      'si se perdió una anulación (el registro del servicio no dice si está anulado, o no trae id con que unirla)',
    'values-differ': 'si se perdió una modificación',
  },
  reasons: {
    voided: 'probablemente porque fue anulado',
    'awaits-fiscal-validation': 'probablemente porque espera la validación fiscal',
  },
  issuedSince:
    'emitido después de iniciarse este barrido, así que la respuesta no podía traerlo; barra otra vez',
  coverage: {
    listening: 'escuchando',
    off: 'apagado',
    asleep: 'suspendido',
    'port-lost': 'sin su puerto',
    starting: 'iniciando',
  },
  kindUnknown: 'evento desconocido',
  possibly: ' (posiblemente)',
  cannotTell: 'no se puede saber',
  ignoredBecause: 'ignorado porque',
  note: 'nota',
  evidence: 'indicio',
  recovered: (at, status) => `recuperado ${at}, con respuesta ${status}`,
  difference: (field, captured, service) =>
    `${field}: capturado ${captured ?? 'nada'}, servicio ${service ?? 'nada'}`,
  ignored: ' (no cuenta)',
  shared: ' (como en todos los documentos, así que no cuenta)',
  sharedDifference: (documents, captured, service) =>
    `los ${documents} documentos; en uno de ellos: capturado ${captured ?? 'nada'}, servicio ${service ?? 'nada'}`,
  was: (spans) =>
    `Acuse estuvo ${spans.map(([state, from, to]) => `${state} de ${from} a ${to}`).join('; ')}`,
  lookalikes: (ids) => `entregas rechazadas o mal formadas que lo nombran: ${ids}`,
  answered: (count, status) => `${count} entregas de ese momento se respondieron con ${status}`,
  duplicates: (ids) => `duplicados capturados: ${ids}`,
  deleted: (count) =>
    count === 1
      ? '1 entrega de ese momento se borró aquí después'
      : `${count} entregas de ese momento se borraron aquí después`,
  limits: (kinds) => [
    `Las rutas de sincronización solo listan facturas, notas y gastos. No se pueden comprobar los eventos de estos ${kinds.length} tipos: ${kinds.join(', ')}.`,
    'Un evento perdido que otro posterior reemplazó no deja rastro: una modificación perdida antes de una capturada, o un estado perdido antes de otro. Ninguna herramienta puede comprobarlo con las rutas.',
    'Se compara la proyección contable: no se ve un cambio de textos o líneas que deja igual cada monto, fecha y código.',
    'Una modificación solo se perdió posiblemente: valores distintos muestran que algo cambió, no que un evento se envió y se perdió. AmountDue por sí solo nunca cuenta, porque los pagos lo cambian.',
    'Los eventos de estado se juzgan solo en facturas, porque solo ellas los emiten. La ruta de tesorería lista solo deudas: no aparecer en ella no prueba nada.',
    'Una entrega que se borró aquí cuenta como no capturada; los indicios dicen cuántas de ese momento se borraron.',
  ],
  joined: (route) =>
    `Se pidió cada página de ${route}-sync del rango, y cada documento se unió con sus eventos capturados por el id del documento, sin distinguir mayúsculas; a falta de id, por Number.`,
  compared:
    'Los números se comparan como decimales exactos, también los escritos como texto; las fechas, con la precisión del lado menos exacto y, sin desfase, en la zona horaria indicada arriba; los demás textos, tal cual.',
  byNumber: 'Los registros de este servicio no traen id de documento: los documentos se unieron por Number.',
  byOtherIds:
    'Ningún evento capturado trae alguno de los id del servicio: los documentos se unieron por Number. De los eventos sin Number, como dgii y anulaciones, no se puede saber.',
  joins: { id: 'id', number: 'número' },
  covered: (first, length) => `${first}… (${length} caracteres)`,

  title: (connection) => `Conciliación de ${connection}`,
  intro: 'Entregas de webhooks capturadas, comparadas con los registros del propio servicio.',
  scope: {
    connection: 'Conexión',
    endpoints: 'Puntos de recepción',
    kinds: 'Eventos suscritos',
    zone: 'Zona horaria',
    ignoredFields: 'Campos que no cuentan',
    notYetDue: 'Aún en plazo',
    documentTypes: 'Eventos de los tipos de documento',
    personal: 'Datos personales',
    recovery: 'Recuperación',
    made: 'Elaborado',
  },
  all: 'todos',
  allKinds: 'los 28',
  none: 'ninguno',
  notYetDue: (hours, minutes) =>
    `emitido hace menos de ${hours} h y devuelto por primera vez hace menos de ${minutes} min`,
  neverDue: 'nunca: según la conexión, lo que falta cuenta como sin capturar de inmediato',
  masked: 'los nombres de clientes y suplidores están cubiertos; las notas quedan como se escribieron',
  unmasked: 'a la vista',
  recovery: (target, events, sent, failed) =>
    `${events} eventos reconstruidos como entregas sintéticas y enviados a ${target}: ${sent} aceptados, ${failed} fallidos`,
  madeBy: (at, version) => `${at} por Acuse ${version}`,
  states: {
    running: 'en curso',
    paused: 'en pausa',
    complete: 'completo',
    incomplete: 'incompleto',
    failed: 'fallido',
    cancelled: 'cancelado',
  },
  incomplete: (state) =>
    `Este barrido no está completo (${state}): lo que falta aquí falta, pero puede haber más.`,
  unreached: (from, to, count) =>
    `No listó todos los documentos emitidos de ${from} a ${to}: ${count} ${count === 1 ? 'documento capturado' : 'documentos capturados'} de esas fechas ${count === 1 ? 'no fue alcanzado y no está' : 'no fueron alcanzados y no están'} en ninguna clase.`,
  problems: {
    refused: 'El servicio rechazó la petición.',
    unauthorised: 'El servicio no acepta la clave de API.',
    redirected: 'El servicio redirigió a otra parte; la clave no se envió allí.',
    'not-json': 'Lo que llegó no es JSON.',
    'unknown-page': 'Lo que llegó es JSON, pero no una página de registros.',
    truncated: 'Una página se cortó antes de su fin, una y otra vez.',
    'too-large': 'Una página era mayor de lo que admite Acuse.',
    unreachable: 'No se pudo llegar al servicio.',
    'too-many-requests': 'El servicio pidió ir más despacio, por más tiempo del que Acuse espera.',
    'server-error': 'El servicio falló, una y otra vez.',
    'no-progress':
      'Hay más documentos de una misma fecha que los que caben en una página: no se pudieron leer todos.',
    'repeated-cursor': 'El servicio devolvió el mismo cursor y aun así dijo que hay más.',
    'unseen-types':
      'Una fecha se leyó tipo por tipo; pueden faltar en ella documentos de tipos nunca vistos.',
    'disk-low': 'Queda poco espacio libre en el disco; el barrido continúa solo cuando lo haya.',
    'nameless-items': 'Hay registros sin id de documento ni Number: no se puede saber si se capturaron.',
    'order-unknown':
      'No se encontró fecha de emisión en los registros: nada muestra si el servicio listó todo el rango. Corrija el mapeo de la fecha y barra otra vez.',
  },
  facts: {
    dates: 'Fechas de emisión',
    documentType: 'Tipo de documento',
    sweep: 'Barrido',
    compared: 'Comparado',
    missingIssued: 'Sin capturar, emitidos',
    recovered: 'Recuperado',
  },
  beginning: 'el comienzo',
  end: 'el final',
  range: (from, to) => `de ${from} a ${to}`,
  sweep: (s) =>
    `${s.id}; documentos: ${s.documents}; páginas: ${s.pages}, de hasta ${s.pageSize} registros; peticiones: ${s.requests}, de ellas repetidas: ${s.retries}`,
  stake: (amount, count) =>
    `${amount} en ${count} ${count === 1 ? 'documento sin capturar' : 'documentos sin capturar'}`,
  leftToRecover: (recovered, left) =>
    `${recovered} ${recovered === 1 ? 'documento' : 'documentos'}; ${left} con eventos perdidos sin recuperar`,
  headings: {
    method: 'Método',
    result: 'Resultado',
    money: 'Montos en juego',
    missedEvents: 'Eventos perdidos',
    shared:
      'Distinto en todos los documentos: otra representación u otro significado, que no hace diferir a ninguno',
    documents: 'Documentos que no coinciden',
    limits: 'Lo que no se puede saber',
  },
  columns: {
    class: 'Clase',
    documents: 'Documentos',
    meaning: 'Significado',
    kind: 'Evento',
    events: 'Cantidad',
    document: 'Documento',
    number: 'Número',
    documentId: 'Id del documento',
    issued: 'Emisión',
    party: 'Cliente o suplidor',
    total: 'Total',
    missed: 'Perdido',
    known: 'Lo que se sabe',
    missedAndKnown: 'Lo perdido y lo que se sabe',
  },
  noDocuments: 'Ninguno.',
  unlisted: (listed, more) =>
    `Solo se listan los primeros ${listed}, por fecha de emisión; los otros ${more} están contados arriba. Haga un barrido de un rango más corto para listarlos.`,
  csv: {
    route: 'ruta',
    complete: 'completo',
    joined_by: 'unido_por',
    document_id: 'id_documento',
    number: 'numero',
    class: 'clase',
    issued_at: 'fecha_emision',
    party: 'cliente_o_suplidor',
    total: 'total',
    currency: 'moneda',
    missed_kinds: 'eventos_perdidos',
    rules: 'reglas',
    certainty: 'certeza',
    cannot_tell: 'no_se_puede_saber',
    captured_status: 'estado_capturado',
    service_status: 'estado_servicio',
    captured_events: 'eventos_capturados',
    differences: 'diferencias',
    remarks: 'observaciones',
    evidence: 'indicios',
    recovered_at: 'recuperado_en',
    recovered_answer: 'respuesta_recuperacion',
  },
  yes: 'sí',
  no: 'no',
  certainties: { missed: 'perdido', possibly: 'posible' },
}
