/** Names of headers that frame a message or control its connection (RFC 9110, 7.6.1; Expect), in lower case. */
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

/** Names that the user's own headers may not have, since they would break the request. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  ...CONNECTION_HEADERS,
  'content-length',
  'host',
])
