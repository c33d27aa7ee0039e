import { Play, Square } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { trafficSettings } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import card from '@/shared/components/section-card.module.css'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { FormField, useFields } from './field-form.tsx'
import { fieldsOf } from './fields.ts'
import { Lamp, Part } from './part.tsx'
import { useSandbox } from './sandbox.ts'

const FIELDS = fieldsOf(trafficSettings.omit({ mix: true }), { seconds: { type: 'integer' } })

type MixName = 'usual' | 'invoices' | 'even'
const weights = (weigh: (kind: (typeof KINDS)[number]) => number): Partial<Record<Kind, number>> =>
  Object.fromEntries(KINDS.map((spec) => [spec.kind, weigh(spec)]).filter(([, weight]) => weight !== 0))
/** Weights of the kinds; `usual` leaves them to the sandbox, whose usual mix it is. */
const MIXES: Readonly<Record<MixName, { readonly mix?: Partial<Record<Kind, number>> }>> = {
  usual: {},
  invoices: {
    mix: weights(({ kind, group }) =>
      group === 'dgii' ? 10 : kind === 'factura.created' ? 50 : group === 'invoices' ? 5 : 0,
    ),
  },
  even: { mix: weights(() => 1) },
}

/** Events at a steady rate, with what has been made so far. */
export function TrafficSection() {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const traffic = useSandbox((s) => s.state?.traffic)
  const refresh = useSandbox((s) => s.refresh)
  const form = useFields(FIELDS, { rate: '5', count: '1000', seconds: '3600', seed: '1' })
  const [mix, setMix] = useState<MixName>('usual')
  const start = () =>
    form.submit(async (args) => {
      await api.call('sandbox.start-traffic', { ...args, ...MIXES[mix] })
      await refresh()
    })
  const stop = () =>
    form.action.run(async () => {
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
          void start()
        }}
      >
        <div className="grid grid-cols-[repeat(auto-fill,minmax(160px,1fr))] gap-12">
          <FormField form={form} name="rate" label={t('traffic.rate')} unit={t('traffic.rateUnit')} />
          <FormField form={form} name="count" label={t('traffic.count')} unit={t('traffic.countUnit')} />
          <FormField form={form} name="seconds" label={t('traffic.seconds')} unit="s" />
          <FormField form={form} name="seed" label={t('seed')} />
        </div>
        <div className="grid gap-4">
          <span className="text-fg-2 label-s" aria-hidden="true">
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
          <p className="text-fg-3 text-xs leading-[1.4]">{t(`traffic.mixHints.${mix}`)}</p>
        </div>
        <Refused refusal={form.refusal} />
        <div className="flex flex-wrap items-center gap-8">
          <Button
            type="submit"
            variant={running ? 'default' : 'primary'}
            icon={<Play />}
            busy={form.action.busy}
            disabled={!form.right}
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
          <p className="flex flex-wrap items-center gap-x-10 gap-y-4 tabular-nums" role="status">
            <Lamp on={running ? 'valid' : null} />
            <b className="font-medium">
              {running && traffic.settings
                ? t('traffic.running', { rate: format.rate(traffic.settings.rate) })
                : t('traffic.off')}
            </b>
            {traffic.settings ? (
              <span className="text-fg-2 text-s">
                {t('traffic.made', { count: traffic.made, formatted: format.number(traffic.made) })}
              </span>
            ) : null}
            {traffic.reason ? (
              <span className="text-fg-2 text-s">
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
