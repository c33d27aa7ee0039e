import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { byPointer, findingsUnder, pointerInData } from '@/shared/body/event-fields.ts'
import { isComplete, isOpen, isReadWhole, type OpenBody } from '@/shared/body/open-body.ts'
import { PartialNotice } from '@/shared/body/partial-notice.tsx'
import type { Whole } from '@/shared/body/use-whole.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { FindingNote } from '@/shared/components/finding-note.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { CrossFoots } from './cross-foots.tsx'
import { columnsOf } from './line-columns.ts'
import { LineInFull } from './line-in-full.tsx'
import { LineSteps } from './line-steps.tsx'
import styles from './lines-tab.module.css'
import { LinesTable } from './lines-table.tsx'
import { useItems } from './use-items.ts'
import { useTotals } from './use-totals.ts'

export interface LinesTabProps {
  readonly detail: DeliveryDetail
  readonly whole: Whole
  readonly onShow: (pointer: string) => void
}

/** Every line of the document as a table, what they add up to, and the chosen one in full. */
export function LinesTab(props: LinesTabProps) {
  const { body } = props.whole
  return isOpen(body) && body.event.lines ? <Lines {...props} body={body} list={body.event.lines} /> : null
}

function Lines({
  detail,
  whole,
  onShow,
  body,
  list,
}: LinesTabProps & {
  readonly body: OpenBody
  readonly list: { readonly line: number; readonly count: number }
}) {
  const { t } = useTranslation('detail')
  const format = useFormat()
  const pointer = pointerInData(body.event, 'Lines')
  const findings = useMemo(() => findingsUnder(detail.findingList, pointer), [detail.findingList, pointer])
  const index = useMemo(() => byPointer(findings), [findings])
  const totals = useTotals(body, list.line)
  const columns = useMemo(() => columnsOf(totals), [totals])
  const [chosen, setChosen] = useState<number | null>(null)
  const items = useItems(body, list, chosen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another body is another list, whose lines mean other things
  useEffect(() => setChosen(null), [body.source.key])
  const complete = isReadWhole(body)
  const unlisted = (totals?.unknown.length ?? 0) - columns.filter((column) => !column.spec).length
  return (
    <div className={styles.tab}>
      <PartialNotice whole={whole} />
      <div className={styles.bar}>
        <span className={styles.count}>
          {t(complete ? 'lines.count' : 'lines.atLeast', { count: list.count })}
          {complete && totals === null ? t('lines.adding') : null}
        </span>
        <LineSteps {...{ findings, pointer, chosen }} onChoose={setChosen} />
      </div>
      {(index.get(pointer) ?? []).map((finding) => (
        <div key={finding.code} className={styles.general}>
          <FindingNote finding={finding} />
        </div>
      ))}
      {list.count === 0 ? (
        <EmptyState title={t('lines.empty')} />
      ) : (
        <div className={styles.parts}>
          <LinesTable {...{ list, pointer, findings, items, chosen, columns, totals }} onChoose={setChosen} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section tabIndex={0} aria-label={t('lines.below')} className={styles.below}>
            {chosen === null ? null : (
              <LineInFull
                members={items.at(chosen)}
                {...{ pointer, chosen, findings, onShow }}
                drift={detail.drift}
                onClose={() => setChosen(null)}
              />
            )}
            {unlisted > 0 || totals?.moreUnknown ? (
              <p className={styles.explain}>
                {t('lines.moreUnknown', { count: unlisted, shown: format.number(unlisted) })}
              </p>
            ) : null}
            {totals ? (
              <CrossFoots totals={totals} accounting={body.event.accounting?.list ?? []} />
            ) : complete ? null : (
              <p className={styles.explain}>
                {t(isComplete(body) ? 'lines.readableOnly' : 'lines.wholeOnly')}
              </p>
            )}
          </section>
        </div>
      )}
    </div>
  )
}
