import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { DriftKind } from '#contract/drift.ts'
import { LEARNING_DELIVERIES } from '#contract/values.ts'
import { cx } from '@/shared/components/cx.ts'
import { useListSteps } from '@/shared/components/list-steps.ts'
import { GroupDot } from '@/shared/components/tag.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import styles from './kind-list.module.css'

export interface KindListProps {
  readonly kinds: readonly DriftKind[]
  /** Null: all of them. */
  readonly chosen: Kind | null
  readonly onChoose: (kind: Kind | null) => void
  /** Enter was pressed on the chosen one. */
  readonly onEnter: () => void
}

/** Kinds of which something was observed. Arrows choose; the chosen one is the only stop of Tab. */
export function KindList({ kinds, chosen, onChoose, onEnter }: KindListProps) {
  const { t } = useTranslation('drift')
  const format = useFormat()
  const names = [null, ...kinds.map(({ kind }) => kind)]
  const present = names.includes(chosen) ? chosen : null
  const fresh = kinds.reduce((sum, one) => sum + one.fresh, 0)
  const list = useRef<HTMLDivElement>(null)
  const take = (key: string): boolean => {
    const at = names.indexOf(present)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: names.length - 1 }[key]
    if (to === undefined) return false
    const place = Math.max(0, Math.min(to, names.length - 1))
    onChoose(names[place] ?? null)
    list.current?.querySelectorAll<HTMLElement>('[role="option"]')[place]?.focus()
    return true
  }
  const steps = useListSteps(take)
  const badge = (count: number) =>
    count === 0 ? null : (
      <b
        className={cx(styles.badge, 'min-w-18 px-5 rounded-9 bg-accent text-on-accent text-center')}
        title={t('fresh', { count, formatted: format.number(count) })}
      >
        {format.compact(count)}
        <span className="visually-hidden"> {t('fresh', { count, formatted: '' }).trim()}</span>
      </b>
    )
  const item = (kind: Kind | null) => ({
    role: 'option',
    'aria-selected': present === kind,
    tabIndex: present === kind ? 0 : -1,
    className: cx(styles.kind, present === kind && styles.chosen),
    onClick: () => onChoose(kind),
  })
  return (
    <div
      ref={list}
      className="p-6 overflow-y-auto border-r border-line bg-panel"
      role="listbox"
      data-steps={steps}
      data-in-screen=""
      aria-label={t('kinds')}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onEnter()
        else if (!take(event.key)) return
        event.preventDefault()
      }}
    >
      <div {...item(null)}>
        <span className="col-[2] overflow-clip text-ellipsis whitespace-nowrap">{t('all')}</span>
        {badge(fresh)}
        <small>{t('allHint')}</small>
      </div>
      {kinds.map((one) => (
        <div key={one.kind} {...item(one.kind)}>
          <GroupDot group={kindSpec(one.kind)?.group ?? null} />
          <span className="col-[2] overflow-clip text-ellipsis whitespace-nowrap">{one.kind}</span>
          {badge(one.fresh)}
          <small>
            {t('deliveries', { count: one.deliveries, formatted: format.number(one.deliveries) })}
            {one.learning ? (
              <i>{t('learning', { seen: one.deliveries, need: LEARNING_DELIVERIES })}</i>
            ) : null}
          </small>
        </div>
      ))}
    </div>
  )
}
