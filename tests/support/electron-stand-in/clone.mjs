/**
 * JSON with the values that structured clone knows besides: undefined, dates, bytes, maps, sets, big and odd numbers. Written as one
 * self-contained function, because its text is also injected into pages.
 */
export function cloning() {
  const TAG = '$stand-in'
  const tag = (type, value) => ({ [TAG]: type, value })
  function pack(value) {
    if (value === undefined) return tag('undefined')
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'number') return Number.isFinite(value) ? value : tag('number', String(value))
    if (typeof value === 'bigint') return tag('bigint', String(value))
    if (typeof value === 'function' || typeof value === 'symbol')
      throw new Error('An object could not be cloned.')
    if (value instanceof Date) return tag('date', value.getTime())
    if (value instanceof Map)
      return tag(
        'map',
        [...value].map(([k, v]) => [pack(k), pack(v)]),
      )
    if (value instanceof Set) return tag('set', [...value].map(pack))
    if (value instanceof Error) return tag('error', value.message)
    if (value instanceof ArrayBuffer) return tag('bytes', [...new Uint8Array(value)])
    if (ArrayBuffer.isView(value))
      return tag('bytes', [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)])
    if (Array.isArray(value)) return value.map(pack)
    // fromEntries defines own members, so that a "__proto__" key crosses as one.
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, pack(member)]))
  }
  function unpack(value) {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(unpack)
    switch (Object.hasOwn(value, TAG) ? value[TAG] : '') {
      case 'undefined':
        return undefined
      case 'number':
        return Number(value.value)
      case 'bigint':
        return BigInt(value.value)
      case 'date':
        return new Date(value.value)
      case 'map':
        return new Map(unpack(value.value))
      case 'set':
        return new Set(unpack(value.value))
      case 'error':
        return new Error(value.value)
      case 'bytes':
        return Uint8Array.from(value.value)
      default:
        return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unpack(member)]))
    }
  }
  return { write: (value) => JSON.stringify(pack(value)), read: (text) => unpack(JSON.parse(text)) }
}

export const { write, read } = cloning()
