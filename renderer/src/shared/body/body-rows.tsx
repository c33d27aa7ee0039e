import { ChevronDown, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useState } from 'react'
import type { Finding } from '#contract/delivery.ts'
import { findingMessage } from '#core/checks/messages.ts'
import { cx } from '@/shared/components/cx.ts'
import { inkOf, VERDICT_OF, worstOf } from '@/shared/components/finding-note.tsx'
import { rowFor } from '@/shared/components/list-steps.ts'
import { VERDICT_SIGNS } from '@/shared/components/tag.tsx'
import type { VirtualRows } from '@/shared/components/use-virtual-rows.ts'
import { VirtualWindow } from '@/shared/components/virtual-window.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { usePagedRows } from '@/shared/live/paged-rows.ts'
import type { BodyHandle } from './open-body.ts'
import type { BodyRow, BodyView, Ink } from './protocol.ts'

/** Rows of a body in one view: a few pages are held here, the worker keeps the rest. @param unfolded initial number of rows */
export function useBodyRows(handle: BodyHandle, view: BodyView, bytesPerRow: number, unfolded: number) {
  const scope = `${handle.doc}/${view}/${view === 'hex' ? bytesPerRow : ''}`
  const [drawn, setDrawn] = useState({ scope, beat: 0, total: unfolded })
  const { row, want, total } = usePagedRows<BodyRow>({
    scope,
    beat: drawn.beat,
    page: 100,
    total: drawn.scope === scope ? drawn.total : unfolded,
    read: (from, count) => handle.call('rows', { view, from, count, bytesPerRow }),
  })
  const rows = total ?? unfolded
  const redraw = (next = rows) => setDrawn(({ beat }) => ({ scope, beat: beat + 1, total: next }))
  return { total: rows, at: row, want, redraw }
}

export interface BodyRowsProps {
  readonly view: BodyView
  readonly rows: Pick<ReturnType<typeof useBodyRows>, 'total' | 'at' | 'want'>
  readonly virtual: VirtualRows
  readonly cursor: number
  readonly onCursor: (row: number) => void
  readonly onFold: (line: number, folded: boolean) => void
  /** Findings of the checks on a row. */
  readonly marks: MarksOf
  readonly onMenu: (event: MouseEvent, line: number) => void
}

export const BODY_ROW = 18
const INK: Readonly<Record<Ink, string | undefined>> = {
  key: 'text-accent-text',
  string: 'text-valid',
  number: 'text-warning',
  literal: 'text-unreadable',
  mark: 'text-fg-3',
  dim: 'text-fg-3',
  plain: undefined,
  broken: 'text-invalid',
  chip: 'rounded-3 bg-unreadable-weak text-unreadable',
}
const SCROLLER = cx(
  'flex-1 h-full min-h-0 overflow-auto overscroll-contain bg-bg code-s-row',
  '[font-variant-ligatures:none] outline-none',
  'focus-visible:[box-shadow:inset_0_0_0_2px_var(--accent)]',
)
const ROW = 'flex h-18 pr-16 whitespace-pre'
const CURSOR =
  'bg-selected forced-colors:outline forced-colors:outline-[Highlight] forced-colors:-outline-offset-1'
const HIT = 'rounded-2 forced-color-adjust-none forced-colors:bg-[Mark] forced-colors:text-[MarkText]'
const HITS = {
  1: `${HIT} bg-[color-mix(in_srgb,var(--warning)_28%,transparent)] text-fg`,
  2: `${HIT} bg-warning text-panel`,
} as const
/** Maximum indentation: five million levels would be wider than any screen. */
const DEEPEST = 40

/** The visible rows of a body. The body's text is drawn as text nodes only, never as markup. */
export function BodyRows({ view, rows, virtual, cursor, onCursor, onFold, onMenu, marks }: BodyRowsProps) {
  const { t, language } = useTexts('detail')
  const id = useId()
  const { first, past } = virtual
  const { want } = rows
  useEffect(() => want(first, past), [want, first, past])
  const digits = String(rows.total).length
  const press = (event: KeyboardEvent) => {
    // Letter keys are shortcuts of the screen.
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length === 1) return
    const row = rows.at(cursor)
    const next = rowFor(event.key, cursor, virtual.pageRows, rows.total)
    const folds = { ArrowRight: true, ArrowLeft: false, Enter: row?.folded }[event.key]
    if (next !== undefined) {
      onCursor(next)
      virtual.reveal(next)
    } else if (row && typeof row.folded === 'boolean' && row.folded === folds) onFold(row.at, !row.folded)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={virtual.scroller}
      className={SCROLLER}
      tabIndex={0}
      role="tree"
      aria-label={t(`raw.rows.${view}`)}
      aria-activedescendant={rows.at(cursor) ? `${id}-${cursor}` : undefined}
      onKeyDown={press}
    >
      <VirtualWindow rows={virtual} className="overflow-clip w-[max-content] min-w-full">
        {Array.from({ length: Math.max(0, past - first) }, (_, k) => {
          const index = first + k
          const row = rows.at(index)
          const found = row ? marks(row) : []
          const level = worstOf(found)
          const said = found.map((finding) => findingMessage(finding, language)).join('\n')
          return row ? (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the scroller takes the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the scroller has the focus, the row is its active descendant
            <div
              key={index}
              id={`${id}-${index}`}
              role="treeitem"
              aria-selected={index === cursor}
              aria-level={row.depth + 1}
              {...(row.stretches.length === 0 ? { 'aria-label': t('raw.blank') } : {})}
              {...(row.folded === null ? {} : { 'aria-expanded': !row.folded })}
              {...(said === '' ? {} : { 'aria-description': said })}
              className={cx(ROW, view === 'hex' && 'pl-14', index === cursor ? CURSOR : 'hover:bg-hover')}
              onClick={() => onCursor(index)}
              onContextMenu={(event) => onMenu(event, index)}
            >
              {view === 'hex' ? null : (
                <span
                  className={cx(
                    'sticky z-1 left-0 flex-none pr-20 text-fg-3 text-xs text-right select-none',
                    index === cursor ? 'bg-inherit' : 'bg-bg',
                  )}
                  style={{ width: `calc(${digits}ch + 32px)` }}
                  aria-hidden="true"
                >
                  {level ? (
                    <b className={cx('absolute left-4', inkOf(level))} title={said}>
                      {VERDICT_SIGNS[VERDICT_OF[level]]}
                    </b>
                  ) : null}
                  {row.number}
                  {row.folded === null ? null : (
                    // biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; the keys are the tree's
                    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
                    <span
                      className={cx(
                        'absolute top-1 right-2 grid place-items-center rounded-3 size-16',
                        'hover:bg-line hover:text-fg',
                        '[&_svg]:size-12',
                      )}
                      onClick={(event) => {
                        event.stopPropagation()
                        onFold(row.at, !row.folded)
                      }}
                    >
                      {row.folded ? <ChevronRight /> : <ChevronDown />}
                    </span>
                  )}
                </span>
              )}
              <RowText row={row} />
            </div>
          ) : (
            <div key={index} role="presentation" className={ROW} />
          )
        })}
      </VirtualWindow>
    </div>
  )
}

const TEXT = 'select-text cursor-text [direction:ltr] [unicode-bidi:isolate] [&_span]:[unicode-bidi:isolate]'

function RowText({ row }: { readonly row: BodyRow }) {
  return (
    <span className={TEXT} style={{ paddingLeft: `${Math.min(row.depth, DEEPEST) * 2}ch` }}>
      {row.stretches.map(([ink, text, hit], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stretches have no identity but their place
        <span key={index} className={cx(ink === 'chip' && 'text-[10px]', hit === 0 ? INK[ink] : HITS[hit])}>
          {text}
        </span>
      ))}
    </span>
  )
}

/** Findings by the row they are about. */
export type MarksOf = (row: BodyRow) => readonly Finding[]

const NONE: readonly Finding[] = []

/** Finds the rows of a view that findings are about: by pointer among pretty lines, by line number in the text as sent. */
export function useMarks(handle: BodyHandle, view: BodyView, findings: readonly Finding[]): MarksOf {
  const pointers = findings.map(({ pointer }) => pointer)
  const question = findings.length === 0 ? null : String(handle.doc)
  const { data: lines } = useAnswer(question, () => handle.call('lines', { pointers }), findings)
  if (findings.length === 0 || view === 'hex') return () => NONE
  const placeOf = (finding: Finding, i: number) => (view === 'pretty' ? lines?.[i] : finding.line)
  const byPlace = Map.groupBy(findings, (finding) => placeOf(finding, findings.indexOf(finding)))
  return ({ at, number }) => byPlace.get(view === 'pretty' ? at : (number ?? -1)) ?? NONE
}
