/** Names of headers that frame a message or steer its connection (RFC 9110, 7.6.1; Expect), in small letters. */
export const CONNECTION_HEADERS = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const

/** A header of the user's own under one of these names would break the request instead of describing it. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  ...CONNECTION_HEADERS,
  'content-length',
  'host',
])
