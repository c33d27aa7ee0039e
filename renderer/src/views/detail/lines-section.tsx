import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LINE_FIELDS } from '#catalog/fields.ts'
import type { Finding } from '#contract/delivery.ts'
import { EventField } from './event-field.tsx'
import { byPointer, fieldRows, findingsUnder, pointerTo } from './event-fields.ts'
import styles from './event-tab.module.css'
import { FindingNote } from './finding-note.tsx'
import { LinesTable } from './lines-table.tsx'
import type { OpenBody } from './open-body.ts'
import { useItems } from './use-items.ts'

export interface LinesSectionProps {
  readonly body: OpenBody
  readonly list: { readonly line: number; readonly count: number }
  readonly pointer: string
  /** About Lines and everything in it. */
  readonly findings: readonly Finding[]
  /** Only the lines of the beginning of the body are known. */
  readonly partial: boolean
  readonly documented: boolean
  readonly onShow: (pointer: string) => void
}

const SPECS = [...LINE_FIELDS.values()]

/** Lines as a table; the chosen one in full beneath it. */
export function LinesSection(props: LinesSectionProps) {
  const { body, list, pointer, findings, partial, documented, onShow } = props
  const { t } = useTranslation('detail')
  const items = useItems(body, list)
  const [chosen, setChosen] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another body is another list, whose lines mean other things
  useEffect(() => setChosen(null), [body.source.key])
  const members = chosen === null ? undefined : items.at(chosen)
  const index = useMemo(() => byPointer(findings), [findings])
  const at = pointerTo(pointer, String(chosen))
  const line = members ? fieldRows(SPECS, members, at, index) : null
  return (
    <section>
      <h3 className={styles.heading}>
        Lines <span>{partial ? t('lines.atLeast', { count: list.count }) : list.count}</span>
      </h3>
      {list.count === 0 ? (
        <p className={styles.explain}>{t('lines.empty')}</p>
      ) : (
        <LinesTable {...{ list, pointer, findings, items, chosen }} onChoose={setChosen} />
      )}
      {line && chosen !== null ? (
        <>
          <h4 className={styles.heading}>{t('lines.line', { number: chosen + 1 })}</h4>
          {(index.get(at) ?? []).map((finding) => (
            <div key={finding.code} className={styles.general}>
              <FindingNote finding={finding} />
            </div>
          ))}
          <dl className={styles.fields}>
            {[...line.rows, ...line.unknown].map((row) => (
              <EventField
                key={row.pointer}
                row={{ ...row, findings: row.member ? findingsUnder(findings, row.pointer) : row.findings }}
                {...{ documented, onShow }}
              />
            ))}
          </dl>
        </>
      ) : null}
    </section>
  )
}
