export type DiffLine =
  | { readonly type: 'same'; readonly left: number; readonly right: number; readonly text: string }
  | { readonly type: 'left'; readonly left: number; readonly text: string }
  | { readonly type: 'right'; readonly right: number; readonly text: string }

/** Beyond this many lines on a side, between what both begin and end with, the middle is shown as replaced: no reader goes through more. */
export const COMPARED_LINES = 2_000

/**
 * Two texts line by line: the fewest lines that differ.
 * @param left lines of the first, @param right those of the second
 * @returns in order; line numbers are 1-based. `whole` is false when the middle was too long to compare.
 */
export function diffLines(
  left: readonly string[],
  right: readonly string[],
): { readonly lines: readonly DiffLine[]; readonly whole: boolean; readonly equal: boolean } {
  let head = 0
  while (head < left.length && head < right.length && left[head] === right[head]) head++
  let tail = 0
  while (
    tail < left.length - head &&
    tail < right.length - head &&
    left[left.length - 1 - tail] === right[right.length - 1 - tail]
  )
    tail++
  const a = left.slice(head, left.length - tail)
  const b = right.slice(head, right.length - tail)
  const whole = a.length <= COMPARED_LINES && b.length <= COMPARED_LINES
  const lines: DiffLine[] = []
  const same = (i: number, j: number) =>
    lines.push({ type: 'same', left: i + 1, right: j + 1, text: left[i] ?? '' })
  for (let i = 0; i < head; i++) same(i, i)
  lines.push(...(whole ? compared(a, b, head) : replaced(a, b, head)))
  for (let n = tail; n > 0; n--) same(left.length - n, right.length - n)
  return { lines, whole, equal: a.length === 0 && b.length === 0 }
}

function replaced(a: readonly string[], b: readonly string[], head: number): DiffLine[] {
  return [
    ...a.map((text, i) => ({ type: 'left' as const, left: head + i + 1, text })),
    ...b.map((text, j) => ({ type: 'right' as const, right: head + j + 1, text })),
  ]
}

/** By the longest common subsequence; the table has one cell for each pair of lines. */
function compared(a: readonly string[], b: readonly string[], head: number): DiffLine[] {
  const width = b.length + 1
  const longest = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const [l, r] = [a[i], b[j]]
    if (l !== undefined && l === r) {
      lines.push({ type: 'same', left: head + i + 1, right: head + j + 1, text: l })
      i++
      j++
    } else if (l !== undefined && (r === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ type: 'left', left: head + i + 1, text: l })
      i++
    } else {
      lines.push({ type: 'right', right: head + j + 1, text: r ?? '' })
      j++
    }
  }
  return lines
}
