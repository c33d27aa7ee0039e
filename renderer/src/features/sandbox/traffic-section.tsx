import { Play, Square } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import type { SandboxTrafficSettings } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Progress } from '@/shared/components/progress.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { CARD } from '@/shared/components/section-card.tsx'
import type { Form, Typed } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api } from '@/shared/live/api.ts'
import { Lamp, Part } from './part.tsx'
import { useSandboxText } from './run-result.tsx'
import { refreshSandbox, useSandbox } from './sandbox.ts'

type MixName = 'usual' | 'invoices' | 'even'
const weights = (weigh: (kind: (typeof KINDS)[number]) => number): Partial<Record<Kind, number>> =>
  Object.fromEntries(KINDS.map((spec) => [spec.kind, weigh(spec)]).filter(([, weight]) => weight !== 0))
/** Weights of the kinds; `usual` uses the sandbox's default. */
const MIXES: Readonly<Record<MixName, { readonly mix?: Partial<Record<Kind, number>> }>> = {
  usual: {},
  invoices: {
    mix: weights(({ kind, group }) =>
      group === 'dgii' ? 10 : kind === 'factura.created' ? 50 : group === 'invoices' ? 5 : 0,
    ),
  },
  even: { mix: weights(() => 1) },
}

interface TrafficDraft extends Typed<Omit<SandboxTrafficSettings, 'mix'>> {
  readonly mix: MixName
}

export function TrafficSection() {
  const { t } = useTranslation('sandbox')
  const traffic = useSandbox((s) => s.state?.traffic)
  const form = useForm({
    form: (): Form<'sandbox.start-traffic', TrafficDraft> => ({
      command: 'sandbox.start-traffic',
      first: { rate: 5, count: 1_000, seconds: 3_600, seed: 1, mix: 'usual' },
      params: ({ mix, ...settings }) => ({ ...settings, ...MIXES[mix] }),
    }),
    texts: ['sandbox', 'traffic'],
    look: () => ({ rate: { decimals: 2 }, seconds: { unit: 's' } }),
    onSaved: refreshSandbox,
    follow: true,
  })
  const stop = () => form.action.run(() => api.call('sandbox.stop-traffic', {}).then(refreshSandbox))
  const { failure } = useSandboxText()
  const { running = false, settings = null, made = 0, reason = null } = traffic ?? {}
  const why =
    reason === 'failed'
      ? failure(traffic?.failure ?? null, traffic?.ended ?? null)
      : reason && t(`traffic.why.${reason}`)
  return (
    <Part name="traffic">
      <form {...form.bind} className={CARD}>
        {form.fields(['rate', 'count', 'seconds', 'seed'], 'mix')}
        <Refused refusal={form.dialog.refusal} />
        <div className="flex flex-wrap items-center gap-8">
          <Button
            type="submit"
            variant={running ? 'default' : 'primary'}
            icon={<Play />}
            busy={form.action.busy}
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
      <section className={CARD} aria-label={t('traffic.progress')}>
        <p className="flex flex-wrap items-center gap-x-10 gap-y-4 tabular-nums" role="status">
          <Lamp on={running ? 'valid' : null} />
          <b className="font-medium">
            {running && settings ? t('traffic.running', { rate: settings.rate }) : t('traffic.off')}
          </b>
          <span className="text-fg-2 text-s empty:hidden">
            {settings && t('traffic.made', { count: made })}
          </span>
          <span className={cx('text-s empty:hidden', reason === 'failed' ? 'text-invalid' : 'text-fg-2')}>
            {why && t('traffic.ended', { why })}
          </span>
        </p>
        {running && settings ? (
          <Progress label={t('traffic.progress')} value={made} max={settings.count} />
        ) : null}
      </section>
    </Part>
  )
}
