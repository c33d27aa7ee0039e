import { Play, Square } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import card from '@/shared/components/section-card.module.css'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { Part } from './part.tsx'
import styles from './sandbox.module.css'
import { useSandbox } from './sandbox.ts'
import { MIXES, type MixName } from './traffic-mix.ts'

const MOST = { rate: 500, count: 10_000_000, seconds: 86_400, seed: 0xffff_ffff } as const
const inRange = (value: number | null, least: number, most: number): value is number =>
  value !== null && value >= least && value <= most

/** Events at a steady rate, with what has been made so far. */
export function TrafficSection() {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const traffic = useSandbox((s) => s.state?.traffic)
  const refresh = useSandbox((s) => s.refresh)
  const action = useAction()
  const [rate, setRate] = useState<number | null>(5)
  const [mix, setMix] = useState<MixName>('usual')
  const [count, setCount] = useState<number | null>(1_000)
  const [seconds, setSeconds] = useState<number | null>(3_600)
  const [seed, setSeed] = useState<number | null>(1)
  const wrong = {
    rate: !inRange(rate, 0.01, MOST.rate),
    count: !inRange(count, 1, MOST.count),
    seconds: !inRange(seconds, 1, MOST.seconds),
    seed: !inRange(seed, 0, MOST.seed),
  }
  const start = () =>
    action.run(async () => {
      if (rate === null || count === null || seconds === null || seed === null) return
      const weights = MIXES[mix]
      await api.call('sandbox.start-traffic', {
        ...{ rate, count, seconds, seed },
        ...(weights === null ? {} : { mix: weights }),
      })
      await refresh()
    })
  const stop = () =>
    action.run(async () => {
      await api.call('sandbox.stop-traffic', {})
      await refresh()
    })
  const running = traffic?.running === true
  return (
    <Part title={t('traffic.title')} lead={t('traffic.lead')}>
      <form
        noValidate
        className={card.card}
        onSubmit={(event) => {
          event.preventDefault()
          if (!Object.values(wrong).includes(true)) void start()
        }}
      >
        <div className={styles.fields}>
          <NumberField
            label={t('traffic.rate')}
            unit={t('traffic.rateUnit')}
            decimals={2}
            min={1}
            max={MOST.rate}
            value={rate}
            onChange={setRate}
            error={wrong.rate ? t('traffic.rateError') : null}
          />
          <NumberField
            label={t('traffic.count')}
            unit={t('traffic.countUnit')}
            min={1}
            max={MOST.count}
            value={count}
            onChange={setCount}
            error={wrong.count ? t('traffic.countError') : null}
          />
          <NumberField
            label={t('traffic.seconds')}
            unit={t('traffic.secondsUnit')}
            min={1}
            max={MOST.seconds}
            value={seconds}
            onChange={setSeconds}
            error={wrong.seconds ? t('traffic.secondsError') : null}
          />
          <NumberField
            label={t('traffic.seed')}
            max={MOST.seed}
            value={seed}
            onChange={setSeed}
            error={wrong.seed ? t('scenarios.seedError') : null}
          />
        </div>
        <div className={styles.stack}>
          <span className={styles.caption} aria-hidden="true">
            {t('traffic.mix')}
          </span>
          <div>
            <SegmentedControl<MixName>
              label={t('traffic.mix')}
              value={mix}
              onChange={setMix}
              segments={(['usual', 'invoices', 'even'] as const).map((value) => ({
                value,
                label: t(`traffic.mixes.${value}`),
              }))}
            />
          </div>
          <p className={styles.note}>{t(`traffic.mixHints.${mix}`)}</p>
        </div>
        <Refused refusal={action.refusal} />
        <div className={styles.buttons}>
          <Button
            type="submit"
            variant={running ? 'default' : 'primary'}
            icon={<Play />}
            busy={action.busy}
            disabled={Object.values(wrong).includes(true)}
          >
            {t(running ? 'traffic.restart' : 'traffic.start')}
          </Button>
          {running ? (
            <Button icon={<Square />} onClick={() => void stop()}>
              {t('traffic.stop')}
            </Button>
          ) : null}
        </div>
      </form>
      {traffic ? (
        <section className={card.card} aria-label={t('traffic.progress')}>
          <p className={styles.state} role="status">
            <span className={cx(styles.lamp, running && styles.lit)} aria-hidden="true" />
            <b>
              {running && traffic.settings
                ? t('traffic.running', { rate: format.rate(traffic.settings.rate) })
                : t('traffic.off')}
            </b>
            {traffic.settings ? (
              <span className={styles.quiet}>
                {t('traffic.made', { count: traffic.made, formatted: format.number(traffic.made) })}
              </span>
            ) : null}
            {traffic.reason ? (
              <span className={styles.quiet}>
                {t('traffic.ended', {
                  why:
                    traffic.reason === 'failed' ? (traffic.ended ?? '') : t(`traffic.why.${traffic.reason}`),
                })}
              </span>
            ) : null}
          </p>
          {running && traffic.settings ? (
            <Progress label={t('traffic.progress')} value={traffic.made} max={traffic.settings.count} />
          ) : null}
        </section>
      ) : null}
    </Part>
  )
}
