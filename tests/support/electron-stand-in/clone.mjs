/**
 * JSON that keeps `undefined`, NaN, infinite numbers and bytes; it refuses other values that structured clone accepts. One
 * self-contained function, since its source is also injected into pages.
 */
export function cloning() {
  const TAG = '$stand-in'
  const tag = (type, value) => ({ [TAG]: type, value })
  const isPlain = (value) => [Object.prototype, null].includes(Object.getPrototypeOf(value ?? 0))
  /** Maps each part of a value, and descends into parts that `change` keeps. fromEntries defines own members, "__proto__" too. */
  const walk = (value, change) => {
    const changed = change(value)
    if (changed !== value) return changed
    if (Array.isArray(value)) return value.map((member) => walk(member, change))
    if (!isPlain(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member, change)]))
  }
  const pack = (value) =>
    walk(value, (part) => {
      if (part === undefined) return tag('undefined')
      if (typeof part === 'number' && !Number.isFinite(part)) return tag('number', String(part))
      if (ArrayBuffer.isView(part))
        return tag('bytes', [...new Uint8Array(part.buffer, part.byteOffset, part.byteLength)])
      if (
        part !== null &&
        ['object', 'function', 'symbol', 'bigint'].includes(typeof part) &&
        !Array.isArray(part) &&
        !isPlain(part)
      )
        throw new Error('An object could not be cloned.')
      return part
    })
  const READ = { undefined: () => undefined, number: Number, bytes: (value) => Uint8Array.from(value) }
  const unpack = (value) =>
    walk(value, (part) => (isPlain(part) && Object.hasOwn(part, TAG) ? READ[part[TAG]](part.value) : part))
  return {
    walk,
    isPlain,
    write: (value) => JSON.stringify(pack(value)),
    read: (text) => unpack(JSON.parse(text)),
  }
}

export const { write, read } = cloning()
