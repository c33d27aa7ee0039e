import type { Sentences } from './sentences.ts'

export const ES: Sentences = {
  'coding-failed': 'No se puede decodificar el cuerpo: Content-Encoding {coding}: {reason}',
  'decoded-too-large':
    'El cuerpo decodificado de {coding} supera {limit} bytes; se guarda, pero no se revisa.',
  'body-too-expensive':
    'Revisar el cuerpo detuvo el análisis dos veces; se guarda, pero no se vuelve a revisar.',
  'body-too-large': 'El cuerpo tiene {found} bytes; por encima de {limit} se guarda, pero no se revisa.',
  'body-empty': 'El cuerpo está vacío; se esperaba un objeto JSON.',
  'body-not-utf8':
    'El cuerpo no es UTF-8 válido: el byte {found} en la posición {offset} no puede estar ahí.',
  'body-other-encoding': 'El cuerpo está codificado en {found}; el JSON se transmite en UTF-8.',
  'body-not-object': 'El cuerpo es JSON, pero no un objeto: {found}',
  'json-cut-off': 'El JSON termina a la mitad; puede que el cuerpo haya llegado cortado.',
  'json-unexpected': 'Esto no es JSON: aquí no se esperaba «{found}».',
  'json-trailing': 'Hay algo después del final del valor JSON: «{found}».',
  'json-control-character':
    'Una cadena contiene el carácter de control {found}, que debe ir escapado; quizá falte la comilla de cierre.',
  'json-escape': 'Una cadena contiene una barra invertida seguida de «{found}», que no es un escape de JSON.',
  'json-number': 'Este número está mal formado: aquí no se esperaba «{found}».',
  'json-too-many-values': 'El cuerpo contiene más de {limit} valores; se guarda, pero no se revisa.',

  'envelope-missing': 'Falta {name}; todos los eventos lo llevan.',
  'envelope-null': '{name} es null; todos los eventos llevan ahí un valor.',
  'event-not-string': 'Event debe ser una cadena con el nombre de uno de los 28 tipos, no {found}',
  'event-unknown':
    '«{found}» no es ninguno de los 28 tipos de evento. Puede ser la prueba de conectividad del servicio, cuyo contenido no está documentado.',
  'event-plugin':
    '«{found}» es un evento de la ruta de plugins (POST /api/v1/plugins/events); nunca llega como entrega de webhook.',
  'timestamp-not-date-time':
    'Timestamp debe ser una fecha y hora ISO 8601 con su diferencia con UTC, no {found}',
  'timestamp-without-offset':
    'Timestamp {found} no indica su diferencia con UTC, así que no se sabe a qué instante corresponde.',
  'data-not-object': 'data debe ser un objeto, no {found}',
  'document-id-absent': 'Falta DocumentId; es lo que identifica al evento.',
  'document-id-null': 'DocumentId es null; es lo que identifica al evento.',
  'document-id-not-uuid': 'DocumentId debe ser un UUID (8-4-4-4-12 dígitos hexadecimales), no {found}',
  'status-not-integer': 'StatusId debe ser un entero, no {found}',
  'dgii-status-absent': 'Falta StatusId; es la respuesta que un evento dgii comunica.',
  'dgii-status': 'StatusId debe ser {expected} en {event}, no {found}',
  'lines-not-list': 'Lines debe ser una lista de elementos, no {found}',
  'line-not-object': 'Un elemento de Lines debe ser un objeto, no {found}',
  'accounting-not-object': 'Accounting debe ser un objeto, no {found}',

  'method-not-documented': 'El servicio entrega con {expected}; esta entrega llegó con {found}.',
  'body-bom':
    'El cuerpo empieza con una marca de orden de bytes (BOM); muchos analizadores de JSON la rechazan.',
  'duplicate-key':
    '«{name}» aparece más de una vez en el mismo objeto; cada analizador elige un valor distinto.',
  'envelope-case': '«{name}» está documentado como {expected}; se usó su valor.',
  'timestamp-utc':
    'Timestamp {found} está en UTC; está documentado como hora local con su diferencia, no normalizada a UTC.',
  'field-case': '«{name}» está documentado como {expected}; se usó su valor.',

  'content-type': 'Content-Type dice «{found}», pero lo que el servicio promete es un cuerpo JSON en UTF-8.',
  'envelope-extra': '«{name}» no es un miembro documentado del sobre; los receptores lo ignoran.',
  'field-absent': '{name} está documentado para este evento, pero no está; no se muestra si es obligatorio.',
  'field-not-documented': '«{name}» no está documentado aquí: es un campo nuevo, que los receptores ignoran.',
  'field-null': '{name} es null; no se muestra si puede serlo.',
}
