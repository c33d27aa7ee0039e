/** 96 bits of a text as hex; for telling texts apart, not against an attacker. */
export function textHash(text: string): string {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  let c = 0x85ebca6b
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x5bd1e995) ^ (b >>> 15)
    c = (Math.imul(c, 33) + unit) ^ (c >>> 13)
  }
  return [a, b, c].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}
