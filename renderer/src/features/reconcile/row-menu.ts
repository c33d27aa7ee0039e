import type { DocumentRow } from '#contract/reconcile.ts'
import type { ContextGroups } from '@/shared/actions/context.ts'
import { copyAction, onThis } from '@/shared/actions/made.ts'
import { narrowStream } from '@/shared/deliveries/value-actions.ts'
import { useRoute } from '@/shared/live/route.ts'

interface RowActs {
  readonly rebuild: (keys: readonly string[]) => void
  readonly ignore: (keys: readonly string[]) => void
}

/** @param chosen rows that are meant together, where this one is among them */
export function rowMenu(
  { key, class: name, number, documentId, events, missed }: DocumentRow,
  chosen: ReadonlySet<string>,
  { rebuild, ignore }: RowActs,
): ContextGroups {
  const keys = chosen.has(key) ? [...chosen] : [key]
  return [
    [
      ...(keys.length > 1 || (name !== 'recovered' && missed.some(({ certainty }) => certainty === 'missed'))
        ? [onThis('rebuild', 'on.rebuild', () => rebuild(keys))]
        : []),
      onThis('ignore', 'on.ignore', () => ignore(keys)),
    ],
    documentId === null || events.length === 0
      ? []
      : [
          onThis('document', 'on.document', () =>
            useRoute.getState().go('documents', encodeURIComponent(documentId.toLowerCase())),
          ),
          onThis('deliveries', 'on.deliveries', () => narrowStream(`doc:${documentId}`)),
        ],
    [
      ...(number === null ? [] : [copyAction('copy-number', 'on.copyNumber', number)]),
      ...(documentId === null ? [] : [copyAction('copy-id', 'on.copyId', documentId)]),
    ],
  ]
}
