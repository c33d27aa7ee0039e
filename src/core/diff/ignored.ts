/**
 * A test for pointers against patterns whose token `*` stands for any one member or element. What lies beneath a member that is passed over
 * is passed over with it.
 */
export function ignoring(patterns: readonly string[]): (pointer: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const wild = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('/'))
  return (pointer) => {
    if (exact.has(pointer)) return true
    if (wild.length === 0) return false
    const tokens = pointer.split('/')
    return wild.some(
      (pattern) =>
        pattern.length === tokens.length && pattern.every((token, i) => token === '*' || token === tokens[i]),
    )
  }
}
