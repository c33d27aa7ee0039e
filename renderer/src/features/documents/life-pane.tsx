import { ListFilter, X } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { GroupDot } from '@/shared/components/tag.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { NoCreated } from '@/shared/documents/step-facts.tsx'
import { useLife } from '@/shared/documents/use-life.ts'
import { grouped } from '@/shared/formats/money.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRoute } from '@/shared/live/route.ts'
import { FAMILY_GROUPS } from './document-cells.tsx'
import styles from './life-pane.module.css'
import { LifeStep } from './life-step.tsx'

export interface LifePaneProps {
  readonly documentKey: string
  readonly onClose: () => void
  readonly ref: RefObject<HTMLElement | null>
}

/** The life of one document, from its first event to its last. */
export function LifePane({ documentKey, onClose, ref }: LifePaneProps) {
  const { t } = useTranslation(['documents', 'common'])
  const format = useFormat()
  const { life, absent, refusal } = useLife(documentKey)
  const shown = life?.entry.key === documentKey ? life : null
  const entry = shown?.entry
  const name = entry?.number ?? entry?.documentId ?? documentKey
  const inStream = () => {
    useFilter.getState().set(`doc:${documentKey}`)
    useRoute.getState().go('stream')
  }
  return (
    <section
      ref={ref}
      tabIndex={-1}
      className={cx(styles.pane, 'flex flex-col min-w-0 min-h-0 bg-panel outline-none border-l border-line')}
      aria-label={t('life.label', { name })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <header className="flex flex-none flex-wrap items-center gap-x-6 gap-y-4 pt-9 pr-10 pb-9 pl-16 border-b border-line">
        <h2 className="flex items-center gap-8 text-l font-semibold select-text">
          {entry ? <GroupDot group={FAMILY_GROUPS[entry.family]} /> : null}
          <Captured text={name} mono most={80} />
        </h2>
        <span className="flex-1" />
        <IconButton small label={t('life.inStream')} icon={<ListFilter />} onClick={inStream} />
        <IconButton small label={t('life.close')} kbd="Esc" icon={<X />} onClick={onClose} />
        {entry ? (
          <p className="flex flex-wrap gap-x-14 gap-y-2 text-fg-2 text-s basis-full">
            <span>{t(`family.${entry.family}`)}</span>
            {entry.party === null ? null : (
              <span>
                <Captured text={entry.party} most={120} />
              </span>
            )}
            {entry.total === null ? null : (
              <span className="code-s tabular-nums [font-variant-ligatures:none] text-fg-2">
                {grouped(entry.total, format.locale)} {entry.currency ?? ''}
              </span>
            )}
            <span>{t('life.steps', { count: entry.events, formatted: format.number(entry.events) })}</span>
            {entry.recovered > 0 ? <span>{t('recovered', { count: entry.recovered })}</span> : null}
          </p>
        ) : null}
      </header>
      {absent ? (
        <p className="mx-16 my-12 text-fg-3 text-s">{t('life.gone')}</p>
      ) : (
        <Refused refusal={refusal} />
      )}
      {shown ? (
        <section
          className="flex-1 min-h-0 px-16 pt-14 pb-24 overflow-auto outline-none focus-visible:focus-inset"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          aria-label={t('life.title')}
        >
          {shown.entry.gaps.includes('no-created') ? (
            <NoCreated onReconcile={() => useRoute.getState().go('reconcile')} />
          ) : null}
          <ol>
            {shown.steps.map((step, index) => (
              <LifeStep
                key={step.row.id}
                step={step}
                before={shown.steps.slice(0, index).findLast(({ facts }) => facts !== null)?.row.id ?? null}
              />
            ))}
          </ol>
          {shown.more > 0 ? (
            <p className="mx-16 my-12 text-fg-3 text-s">
              {t('life.more', { count: shown.more, formatted: format.number(shown.more) })}
            </p>
          ) : null}
        </section>
      ) : refusal || absent ? null : (
        <div className="grid place-items-center flex-1">
          <Spinner label={t('common:loading')} />
        </div>
      )}
    </section>
  )
}
