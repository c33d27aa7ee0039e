import type { DiffNode } from '#core/diff/types.ts'

export const LAYOUTS = ['side-by-side', 'inline'] as const
export type DiffLayout = (typeof LAYOUTS)[number]

export type DiffRow =
  | {
      readonly type: 'node'
      readonly node: DiffNode
      readonly depth: number
      /** Null for what has nothing inside. */
      readonly open: boolean | null
    }
  /** Neighbours without a difference, folded into one line; `id` opens them. */
  | { readonly type: 'fold'; readonly id: string; readonly count: number; readonly depth: number }

export interface Folding {
  readonly toggled: ReadonlySet<string>
  readonly unfolded: ReadonlySet<string>
}

/** What the reader came for: a difference that is not passed over. */
export const isDifference = ({ change, ignored, moved }: DiffNode): boolean =>
  !ignored && (change !== 'same' || moved !== null)

/** Closed unless something inside both sides differs: what was added or removed whole is told by its source. */
function isOpen(node: DiffNode, toggled: ReadonlySet<string>): boolean {
  const byItself = node.pointer === '' || (node.change === 'changed' && !node.ignored)
  return byItself !== toggled.has(node.pointer)
}

/** The lines of a comparison in order. Neighbours without a difference, two or more, are one line until they are asked for. */
export function diffRows(root: DiffNode, { toggled, unfolded }: Folding): readonly DiffRow[] {
  const rows: DiffRow[] = []
  const add = (node: DiffNode, depth: number): void => {
    const open = node.children.length > 0 ? isOpen(node, toggled) : null
    rows.push({ type: 'node', node, depth, open })
    if (open !== true) return
    const { children } = node
    for (let i = 0; i < children.length; ) {
      let end = i
      while (end < children.length && !isDifference(children[end] as DiffNode)) end++
      const id = `${node.pointer}#${i}`
      if (end - i > 1 && !unfolded.has(id)) rows.push({ type: 'fold', id, count: end - i, depth: depth + 1 })
      else for (const child of children.slice(i, end)) add(child, depth + 1)
      if (end < children.length) add(children[end] as DiffNode, depth + 1)
      i = end + 1
    }
  }
  add(root, 0)
  return rows
}

/** Places of the rows at which a reader stops who goes from difference to difference. */
export const stopsOf = (rows: readonly DiffRow[]): readonly number[] =>
  rows.flatMap((row, i) =>
    row.type === 'node' && isDifference(row.node) && (row.open !== true || row.node.moved !== null)
      ? [i]
      : [],
  )
