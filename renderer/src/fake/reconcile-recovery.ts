import type { Kind } from '#catalog/kinds.ts'
import type { Recovery } from '#contract/reconcile.ts'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import { scanJson } from '#core/json/scan.ts'
import { rebuild } from '#core/reconcile/rebuild.ts'
import type { Compared } from './reconcile-compare.ts'

/** What a rebuilding comes to, before its deliveries are made. */
export interface Planned {
  readonly made: readonly { readonly key: string; readonly body: string }[]
  readonly outcome: Omit<Recovery, 'ids'>
}

/** Rebuilds by the same pure core as the real host. @param rebuilt keys of documents that were rebuilt before */
export function plan(
  all: readonly Compared[],
  select: DocumentSelection,
  rebuilt: (key: string) => boolean,
): Planned {
  const left = { 'kind-unknown': 0, 'only-possibly-missed': 0, 'already-rebuilt': 0, ignored: 0 }
  const absent = new Map<string, { kind: Kind; field: string; events: number }>()
  const made: { key: string; body: string }[] = []
  const take = ({ row, document }: Compared): void => {
    const tree = scanJson(document.itemText ?? '')
    if ('problem' in tree) return
    for (const { kind, certainty } of row.missed) {
      if (certainty === 'possibly') continue
      if (kind === null) {
        left['kind-unknown'] += 1
        continue
      }
      const one = rebuild(tree, 0, kind, new Date().toISOString().replace('Z', '+00:00'))
      made.push({ key: row.key, body: one.body })
      for (const field of one.absent) {
        const name = `${kind} ${field}`
        absent.set(name, { kind, field, events: (absent.get(name)?.events ?? 0) + 1 })
      }
    }
  }
  for (const one of all) {
    const { row, document } = one
    const wanted =
      'documents' in select ? select.documents.includes(row.key) : select.classes.includes(row.class)
    if (!wanted || row.missed.length === 0 || document.itemText === null) continue
    if (rebuilt(row.key)) left['already-rebuilt'] += 1
    else if (row.ignored !== null && 'classes' in select) left.ignored += 1
    else if (row.missed.every(({ certainty }) => certainty === 'possibly')) left['only-possibly-missed'] += 1
    else take(one)
  }
  const reasons = ['kind-unknown', 'only-possibly-missed', 'already-rebuilt', 'ignored'] as const
  return {
    made,
    outcome: {
      events: made.length,
      documents: new Set(made.map(({ key }) => key)).size,
      absent: [...absent.values()],
      left: reasons
        .map((reason) => ({ reason, documents: left[reason] }))
        .filter(({ documents }) => documents > 0),
    },
  }
}
