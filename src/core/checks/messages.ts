import type { Language } from '#catalog/text.ts'
import type { Finding } from '#contract/delivery.ts'
import { type Code, isCode } from './codes.ts'

/** A sentence per code; `{name}` stands for a parameter of the finding. A code without one does not compile. */
export type Sentences = Readonly<Record<Code, string>>

export const EN: Sentences = {
  'coding-failed': 'The body cannot be decoded: Content-Encoding {coding}: {reason}',
  'decoded-too-large':
    'The body decodes from {coding} to more than {limit} bytes; it is kept but not checked.',
  'body-too-expensive': 'Checking the body stopped the analysis twice; it is kept but not checked again.',
  'body-too-large': 'The body has {found} bytes; more than {limit} are kept but not checked.',
  'body-empty': 'The body is empty; a JSON object was expected.',
  'body-not-utf8': 'The body is not valid UTF-8: byte {found} at offset {offset} does not belong there.',
  'body-other-encoding': 'The body is encoded in {found}; JSON travels as UTF-8.',
  'body-not-object': 'The body is JSON, but no object: {found}',
  'json-cut-off': 'The JSON ends in the middle; the body may have been cut off.',
  'json-unexpected': 'This is no JSON: “{found}” is not expected here.',
  'json-trailing': 'Something follows the end of the JSON value: “{found}”.',
  'json-control-character':
    'A string holds the control character {found}, which must be escaped; the closing quote may be missing.',
  'json-escape': 'A string holds a backslash followed by “{found}”, which is no JSON escape.',
  'json-number': 'This number is malformed: “{found}” is not expected here.',
  'json-too-many-values': 'The body holds more than {limit} values; it is kept but not checked.',

  'envelope-missing': '{name} is missing; every event carries it.',
  'envelope-null': '{name} is null; every event carries a value there.',
  'event-not-string': 'Event must be a string with the name of one of the 28 kinds, not {found}',
  'event-unknown':
    '“{found}” is none of the 28 event kinds. It may be the connectivity test of the service, whose content is not documented.',
  'event-plugin':
    '“{found}” is an event of the plugin route (POST /api/v1/plugins/events); it never comes as a webhook delivery.',
  'timestamp-not-date-time': 'Timestamp must be an ISO 8601 date-time with UTC offset, not {found}',
  'timestamp-without-offset': 'Timestamp {found} has no UTC offset, so its instant is unknown.',
  'data-not-object': 'data must be an object, not {found}',
  'document-id-absent': 'DocumentId is missing; it is the identity of the event.',
  'document-id-null': 'DocumentId is null; it is the identity of the event.',
  'document-id-not-uuid': 'DocumentId must be a UUID (8-4-4-4-12 hex digits), not {found}',
  'status-not-integer': 'StatusId must be an integer, not {found}',
  'dgii-status-absent': 'StatusId is missing; it is the answer that a dgii event tells.',
  'dgii-status': 'StatusId must be {expected} in {event}, not {found}',
  'lines-not-list': 'Lines must be a list of items, not {found}',
  'line-not-object': 'An item of Lines must be an object, not {found}',
  'accounting-not-object': 'Accounting must be an object, not {found}',

  'method-not-documented': 'The service delivers with {expected}; this came with {found}.',
  'body-bom': 'The body starts with a byte-order mark; many JSON parsers refuse it.',
  'duplicate-key': '“{name}” stands more than once in the same object; parsers differ in which one they use.',
  'envelope-case': '“{name}” is documented as {expected}; its value was used.',
  'timestamp-utc':
    'Timestamp {found} is in UTC; it is documented as local time with its offset, not normalised to UTC.',
  'field-case': '“{name}” is documented as {expected}; its value was used.',

  'content-type': 'Content-Type says “{found}”, yet a JSON body in UTF-8 is what the service promises.',
  'envelope-extra': '“{name}” is not a documented member of the envelope; receivers ignore it.',
  'field-absent': '{name} is documented for this event but absent; whether it is required is not shown.',
  'field-not-documented': '“{name}” is not documented here: a new field, which receivers ignore.',
  'field-null': '{name} is null; whether it may be is not shown.',
}

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

const SENTENCES: { readonly [L in Language]: Sentences } = { en: EN, es: ES }

/**
 * The finding as a sentence in plain text, captured values shortened within it. A code that this version does not know (findings stored
 * by another one) is shown as it is.
 */
export function findingMessage(finding: Finding, language: Language): string {
  if (!isCode(finding.code)) return finding.code
  return SENTENCES[language][finding.code].replace(/\{(\w+)\}/g, (_, name: string) =>
    String(finding.params[name] ?? '…'),
  )
}
