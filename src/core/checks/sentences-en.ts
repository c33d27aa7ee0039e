import type { Sentences } from './sentences.ts'

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
