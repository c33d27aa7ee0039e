import { useTranslation } from 'react-i18next'
import type { Timings } from '#contract/replay.ts'
import { cx } from '@/shared/components/cx.ts'
import { useFormat } from '@/shared/i18n/format.ts'

const PHASES = ['lookup', 'connect', 'tls', 'send', 'wait', 'receive'] as const
type Phase = (typeof PHASES)[number]
const INK: Readonly<Record<Phase, string>> = {
  lookup: 'bg-(--g-quotations)',
  connect: 'bg-(--g-debit)',
  tls: 'bg-(--g-expenses)',
  send: 'bg-(--g-credit)',
  wait: 'bg-(--g-contacts)',
  receive: 'bg-(--g-invoices)',
}

/** The recorded phases in order, each with its share of the total in percent. */
export function phasesOf(timings: Timings): readonly { phase: Phase; us: number; share: number }[] {
  const taken = PHASES.flatMap((phase) => {
    const us = timings[`${phase}Us`]
    return us === null ? [] : [{ phase, us }]
  })
  const sum = taken.reduce((all, { us }) => all + us, 0)
  return taken.map((one) => ({ ...one, share: sum > 0 ? (one.us / sum) * 100 : 100 / taken.length }))
}

export function TimingBar({ timings, reused }: { readonly timings: Timings; readonly reused: boolean }) {
  const { t } = useTranslation('replays')
  const format = useFormat()
  const phases = phasesOf(timings)
  if (phases.length === 0) return <p className="text-fg-3 text-s">{t('timings.none')}</p>
  return (
    <div className="grid gap-6">
      <div
        className="flex gap-1 h-8 overflow-hidden rounded-4 bg-sunken [&_i]:min-w-2 [&_i]:h-full [&_i]:forced-color-adjust-none"
        aria-hidden="true"
      >
        {phases.map(({ phase, share }) => (
          <i key={phase} className={INK[phase]} style={{ width: `${share}%` }} />
        ))}
      </div>
      <dl
        className={cx(
          'flex flex-wrap gap-x-14 gap-y-2 text-s',
          '[&>div]:flex [&>div]:items-center [&>div]:gap-6',
          '[&_dt]:flex [&_dt]:items-center [&_dt]:gap-5 [&_dt]:text-fg-2 [&_dd]:tabular-nums',
        )}
      >
        {phases.map(({ phase, us }) => (
          <div key={phase}>
            <dt>
              <i aria-hidden="true" className={`rounded-2 forced-color-adjust-none size-8 ${INK[phase]}`} />
              {t(`timings.${phase}`)}
            </dt>
            <dd>{format.duration(us)}</dd>
          </div>
        ))}
      </dl>
      {reused ? <p className="text-fg-3 text-s">{t('timings.reused')}</p> : null}
    </div>
  )
}
