import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { kindSpec } from '#catalog/kinds.ts'
import type { DeliveryDetail, Finding } from '#contract/delivery.ts'
import { findingMessage } from '#core/checks/messages.ts'
import type { Place } from '@/shared/body/protocol.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { BY_GRAVITY, VERDICT_OF } from '@/shared/components/finding-note.tsx'
import { VERDICT_SIGNS } from '@/shared/components/verdict-mark.tsx'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import styles from './checks-tab.module.css'
import { DriftSection } from './drift-notes.tsx'

type Judged = Pick<DeliveryDetail, 'verdict' | 'kind' | 'findings' | 'findingList'> &
  Partial<Pick<DeliveryDetail, 'drift'>>

export interface ChecksTabProps {
  readonly detail: Judged
  /** Without it, places are told and cannot be gone to. */
  readonly onShow?: (place: Place) => void
}

export function ChecksTab({ detail, onShow }: ChecksTabProps) {
  const { t } = useTranslation('detail')
  const format = useFormat()
  const groups = useMemo(
    () =>
      BY_GRAVITY.map((level) => ({
        level,
        list: detail.findingList.filter((f) => f.level === level),
      })).filter((group) => group.list.length > 0),
    [detail.findingList],
  )
  if (detail.verdict === null) return <p className={styles.none}>{t('checks.unjudged')}</p>
  const drift = <DriftSection facts={detail.drift ?? []} onShow={onShow} />
  if (groups.length === 0) return <NoFindings detail={detail}>{drift}</NoFindings>
  const unlisted = detail.findings - detail.findingList.length
  return (
    <div className={styles.tab}>
      {groups.map(({ level, list }) => (
        <section key={level}>
          <h3 className={cx(styles.heading, styles[level])}>
            <b aria-hidden="true">{VERDICT_SIGNS[VERDICT_OF[level]]}</b> {t(`level.${level}`)}
            <span>{format.number(list.length)}</span>
          </h3>
          <ul className={styles.list}>
            {list.map((finding, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same finding may stand twice; the list never changes in place
              <Item key={index} finding={finding} {...(onShow ? { onShow } : {})} />
            ))}
          </ul>
        </section>
      ))}
      {unlisted > 0 ? <p className={styles.explain}>{t('checks.unlisted', { count: unlisted })}</p> : null}
      {drift}
    </div>
  )
}

function Item({ finding, onShow }: { readonly finding: Finding; readonly onShow?: (place: Place) => void }) {
  const { t } = useTranslation('detail')
  const language = useLanguage()
  const { line, column = 1, pointer } = finding
  return (
    <li className={styles.item}>
      <p className={styles.sentence}>
        <Captured text={findingMessage(finding, language)} />
      </p>
      <div className={styles.facts}>
        {pointer === '' ? null : (
          <span className={styles.pointer}>
            <Captured text={pointer} mono most={300} />
            <CopyButton small text={pointer} label={t('checks.copyPointer')} />
          </span>
        )}
        {line === undefined ? (
          pointer === '' || !onShow ? null : (
            <button type="button" className={styles.place} onClick={() => onShow({ pointer })}>
              {t('showInRaw')}
            </button>
          )
        ) : !onShow ? (
          <span className={styles.told}>{t('checks.place', { line, column })}</span>
        ) : (
          <button
            type="button"
            className={styles.place}
            aria-label={t('checks.goTo', { line, column })}
            onClick={() => onShow({ line, column })}
          >
            {line}:{column}
          </button>
        )}
        <span>{finding.rule}</span>
        <code className={styles.code}>{finding.code}</code>
      </div>
    </li>
  )
}

function NoFindings({ detail, children }: { readonly detail: Judged; readonly children: ReactNode }) {
  const { t } = useTranslation('detail')
  const fields = detail.kind === null ? 0 : (kindSpec(detail.kind)?.fields.length ?? 0)
  return (
    <div className={styles.tab}>
      <h3 className={cx(styles.heading, styles.valid)}>
        <b aria-hidden="true">✓</b> {t('checks.noFindings')}
      </h3>
      <ul className={styles.checked}>
        <li>{t('checks.checkedBody')}</li>
        <li>{t('checks.checkedEnvelope')}</li>
        <li>{t('checks.checkedFields', { count: fields, kind: detail.kind ?? '' })}</li>
        <li>{t('checks.checkedTypes')}</li>
      </ul>
      <p className={styles.explain}>{t('checks.notShown')}</p>
      {children}
    </div>
  )
}
