import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LINE_FIELDS } from '#catalog/fields.ts'
import type { Finding } from '#contract/delivery.ts'
import type { DriftFact } from '#contract/drift.ts'
import { byPointer, type FieldRow, fieldRows, findingsUnder, pointerTo } from '@/shared/body/event-fields.ts'
import type { Member } from '@/shared/body/protocol.ts'
import { FindingNote } from '@/shared/components/finding-note.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { EventField } from './event-field.tsx'
import fieldStyles from './event-tab.module.css'
import styles from './lines-tab.module.css'
import { useDocumented } from './use-documented.tsx'

export interface LineInFullProps {
  /** undefined until they have come. */
  readonly members: readonly Member[] | undefined
  /** Of Lines. */
  readonly pointer: string
  readonly chosen: number
  readonly findings: readonly Finding[]
  readonly drift: readonly DriftFact[]
  readonly onShow: (pointer: string) => void
  readonly onClose: () => void
}

const SPECS = [...LINE_FIELDS.values()]

/** One line with every field, what nobody documented apart, and the findings in their places. */
export function LineInFull({ members, pointer, chosen, findings, drift, onShow, onClose }: LineInFullProps) {
  const { t } = useTranslation('detail')
  const format = useFormat()
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
      <div className={styles.lineBar}>
        <h3>{t('lines.line', { number: format.number(chosen + 1) })}</h3>
        {toggle}
        <IconButton small label={t('lines.close')} icon={<X />} onClick={onClose} />
      </div>
      {(index.get(at) ?? []).map((finding) => (
        <div key={finding.code} className={styles.general}>
          <FindingNote finding={finding} />
        </div>
      ))}
      {line ? (
        <>
          <dl className={fieldStyles.fields}>{line.rows.map(field)}</dl>
          {line.unknown.length > 0 ? (
            <>
              <h4 className={fieldStyles.heading}>{t('event.undocumented')}</h4>
              <dl className={fieldStyles.fields}>{line.unknown.map(field)}</dl>
            </>
          ) : null}
        </>
      ) : null}
    </section>
  )
}
