export interface Place {
  readonly line: number
  readonly column: number
}

/** Finds lines and columns; LF, CR LF and a lone CR end a line. Offsets in ascending order cost one pass over the text. */
export function placeFinder(text: string): (offset: number) => Place {
  let at = 0
  let line = 1
  let lineStart = 0
  return (offset) => {
    if (offset < at) {
      at = 0
      line = 1
      lineStart = 0
    }
    for (; at < offset; at++) {
      const c = text.charCodeAt(at)
      if (c === 0x0a || (c === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
        line++
        lineStart = at + 1
      }
    }
    return { line, column: offset - lineStart + 1 }
  }
}
