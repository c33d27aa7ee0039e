import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LINE_FIELDS } from '#catalog/fields.ts'
import type { Finding } from '#contract/delivery.ts'
import type { DriftFact } from '#contract/drift.ts'
import {
  byPointer,
  type FieldRow,
  fieldRows,
  findingsByLine,
  findingsUnder,
  pointerInData,
  pointerTo,
} from '@/shared/body/event-fields.ts'
import { isComplete, isOpen, isReadWhole, type OpenBody } from '@/shared/body/open-body.ts'
import type { LineTotals, Member } from '@/shared/body/protocol.ts'
import { PartialNotice } from '@/shared/body/use-whole.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { FindingNotes, inkOf, VERDICT_OF, worstOf } from '@/shared/components/finding-note.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { VERDICT_SIGNS } from '@/shared/components/tag.tsx'
import { useAnswer } from '@/shared/live/answer.ts'
import { usePagedRows } from '@/shared/live/paged-rows.ts'
import { CrossFoots } from './cross-foots.tsx'
import { EventField, Undocumented, useDocumented } from './event-field.tsx'
import type { FieldsTabProps } from './event-tab.tsx'
import { columnsOf } from './line-columns.ts'
import { LinesTable } from './lines-table.tsx'

interface LineInFullProps {
  readonly members: readonly Member[] | undefined
  readonly pointer: string
  readonly chosen: number
  readonly findings: readonly Finding[]
  readonly drift: readonly DriftFact[]
  readonly onShow: (pointer: string) => void
  readonly onClose: () => void
}

const SPECS = [...LINE_FIELDS.values()]

function LineInFull({ members, pointer, chosen, findings, drift, onShow, onClose }: LineInFullProps) {
  const { t } = useTranslation('detail')
  const { documented, toggle } = useDocumented()
  const at = pointerTo(pointer, String(chosen))
  const index = byPointer(findings)
  const line = members ? fieldRows(SPECS, members, at, index) : null
  const field = (row: FieldRow) => (
    <EventField
      key={row.pointer}
      row={{ ...row, findings: row.member ? findingsUnder(findings, row.pointer) : row.findings }}
      {...{ documented, drift, onShow }}
    />
  )
  return (
    <section>
      <div className="sticky z-1 top-0 flex items-center gap-2 pt-6 pr-8 pb-2 pl-14 bg-panel">
        <h3 className="flex-1 heading-s tabular-nums">{t('lines.line', { number: chosen + 1 })}</h3>
        {toggle}
        <IconButton small label={t('lines.close')} icon={<X />} onClick={onClose} />
      </div>
      <FindingNotes className="flex-none px-14 pt-4" findings={index.get(at) ?? []} />
      {line ? (
        <>
          <dl className="px-14 pb-8">{line.rows.map(field)}</dl>
          <Undocumented rows={line.unknown} field={field} />
        </>
      ) : null}
    </section>
  )
}

interface LineStepsProps {
  readonly findings: readonly Finding[]
  readonly pointer: string
  readonly chosen: number | null
  readonly onChoose: (line: number) => void
}

/** Steps between lines with findings: 200,000 lines are too many to scroll through. */
function LineSteps({ findings, pointer, chosen, onChoose }: LineStepsProps) {
  const { t } = useTranslation('detail')
  const lines = useMemo(
    () => [...findingsByLine(findings, pointer).keys()].sort((a, b) => a - b),
    [findings, pointer],
  )
  const level = worstOf(findings)
  if (lines.length === 0 || !level) return null
  const at = chosen ?? -1
  const next = lines.find((line) => line > at) ?? lines[0]
  const before = lines.findLast((line) => line < at) ?? lines.at(-1)
  const go = (line: number | undefined) => line !== undefined && onChoose(line)
  return (
    <span className="flex flex-none items-center gap-2">
      <span className={cx('pr-4 text-s whitespace-nowrap', inkOf(level))}>
        <b aria-hidden="true">{VERDICT_SIGNS[VERDICT_OF[level]]}</b>{' '}
        {t('lines.marked', { count: lines.length })}
      </span>
      <IconButton small label={t('lines.previous')} icon={<ChevronUp />} onClick={() => go(before)} />
      <IconButton small label={t('lines.next')} icon={<ChevronDown />} onClick={() => go(next)} />
    </span>
  )
}

/** Totals of all lines; null while loading, and when the body is incomplete or cannot be read to its end. */
function useTotals(body: OpenBody, line: number): LineTotals | null {
  const question = isReadWhole(body) ? `${body.handle.doc}/${line}` : null
  return useAnswer(question, () => body.handle.call('totals', { line })).data
}

/** All lines as a table, their totals, and the selected line in full. */
export function LinesTab(props: FieldsTabProps) {
  const { body } = props.whole
  return isOpen(body) && body.event.lines ? <Lines {...props} body={body} list={body.event.lines} /> : null
}

function Lines({
  detail,
  whole,
  onShow,
  body,
  list,
}: FieldsTabProps & {
  readonly body: OpenBody
  readonly list: { readonly line: number; readonly count: number }
}) {
  const { t } = useTranslation('detail')
  const pointer = pointerInData(body.event, 'Lines')
  const findings = useMemo(() => findingsUnder(detail.findingList, pointer), [detail.findingList, pointer])
  const index = useMemo(() => byPointer(findings), [findings])
  const totals = useTotals(body, list.line)
  const columns = useMemo(() => columnsOf(totals), [totals])
  const [chosen, setChosen] = useState<number | null>(null)
  const { handle } = body
  const items = usePagedRows<readonly Member[]>({
    scope: `${handle.doc}/${list.line}`,
    beat: 0,
    page: 50,
    total: list.count,
    keep: chosen,
    read: async (from, count) => {
      const { items } = await handle.call('items', { line: list.line, from, count })
      return { rows: items, total: list.count }
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection belongs to one body
  useEffect(() => setChosen(null), [body.source.key])
  const complete = isReadWhole(body)
  const unlisted = (totals?.unknown.length ?? 0) - columns.filter((column) => !column.spec).length
  return (
    // Docked at the bottom, the pane is wide but low.
    <div className="@container flex flex-col h-full min-h-0">
      <PartialNotice whole={whole} />
      <div className="flex flex-none items-center gap-8 min-h-34 pt-4 pr-8 pl-14">
        <span className="flex-1 text-fg-2 text-s tabular-nums">
          {t(complete ? 'lines.count' : 'lines.atLeast', { count: list.count })}
          {complete && totals === null ? t('lines.adding') : null}
        </span>
        <LineSteps {...{ findings, pointer, chosen }} onChoose={setChosen} />
      </div>
      <FindingNotes className="flex-none px-14 pt-4" findings={index.get(pointer) ?? []} />
      {list.count === 0 ? (
        <EmptyState title={t('lines.empty')} />
      ) : (
        <div className="flex flex-1 flex-col min-h-0 border-line @min-[860px]:flex-row @min-[860px]:items-start @min-[860px]:border-t">
          <LinesTable {...{ list, pointer, findings, items, chosen, columns, totals }} onChoose={setChosen} />
          <ScrollRegion
            label={t('lines.below')}
            className={cx(
              'flex-[1_1_45%] min-h-96 overflow-y-auto border-t border-line overscroll-contain',
              'focus-visible:-outline-offset-2 @min-[860px]:flex-[0_0_400px] @min-[860px]:h-full',
              '@min-[860px]:border-t-0 @min-[860px]:border-l',
            )}
          >
            {chosen === null ? null : (
              <LineInFull
                members={items.row(chosen)}
                {...{ pointer, chosen, findings, onShow }}
                drift={detail.drift}
                onClose={() => setChosen(null)}
              />
            )}
            {unlisted > 0 || totals?.moreUnknown ? (
              <p className="mx-14 mt-8 mb-2 text-fg-3 text-xs leading-[1.4]">
                {t('lines.moreUnknown', { count: unlisted })}
              </p>
            ) : null}
            {totals ? (
              <CrossFoots totals={totals} accounting={body.event.accounting?.list ?? []} />
            ) : complete ? null : (
              <p className="mx-14 mt-8 mb-2 text-fg-3 text-xs leading-[1.4]">
                {t(isComplete(body) ? 'lines.readableOnly' : 'lines.wholeOnly')}
              </p>
            )}
          </ScrollRegion>
        </div>
      )}
    </div>
  )
}
