import { Play, Square } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type SandboxScenario, scenarioOptions } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Progress } from '@/shared/components/progress.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import card from '@/shared/components/section-card.module.css'
import { api } from '@/shared/live/api.ts'
import { FormField, useFields } from './field-form.tsx'
import { fieldsOf } from './fields.ts'
import { Part, ROWS } from './part.tsx'
import { RunResult } from './run-result.tsx'
import { followRun, useRuns } from './runs.ts'
import styles from './sandbox.module.css'
import { useSandbox } from './sandbox.ts'

const SEED = fieldsOf(scenarioOptions.pick({ seed: true }))
const COUNT_AND_SEED = fieldsOf(scenarioOptions.pick({ count: true, seed: true }), {
  count: { maximum: 200_000 },
})
/** Documents of a scenario that takes a count. */
const USUAL: Readonly<Record<string, string>> = { 'outage-day': '60', month: '100', burst: '100' }
const KNOWN = [
  ...(['accepted', 'rejected-corrected', 'conditional', 'credit-note', 'void-before'] as const),
  ...(['void-after', 'month', 'outage-day', 'burst'] as const),
] as const

/** Scenarios: each a whole story in one press, with its result. */
export function ScenariosSection() {
  const { t } = useTranslation('sandbox')
  const scenarios = useSandbox((s) => s.state?.scenarios)
  return (
    <Part title={t('scenarios.title')} lead={t('scenarios.lead')}>
      <div className={cx(card.card, ROWS)}>
        {/* The fields beneath have names of their own. */}
        <div className="flex justify-end gap-8 px-16 py-7 text-fg-3 text-xs" aria-hidden="true">
          <span className={styles.short}>{t('scenarios.count')}</span>
          <span className="w-184">{t('seed')}</span>
        </div>
        <ul>
          {scenarios?.map((scenario) => (
            <ScenarioRow key={scenario.slug} scenario={scenario} />
          ))}
        </ul>
      </div>
    </Part>
  )
}

/** A scenario with its run, from its press to its last delivery. */
function ScenarioRow({ scenario }: { readonly scenario: SandboxScenario }) {
  const { slug, takesCount } = scenario
  const { t } = useTranslation('sandbox')
  const refresh = useSandbox((s) => s.refresh)
  const run = useRuns((s) => s.runs[`scenario:${slug}`])
  const form = useFields<{ count?: number; seed?: number }>(takesCount ? COUNT_AND_SEED : SEED, {
    count: USUAL[slug] ?? '',
  })
  // The sandbox's own words for a scenario that this window does not know.
  const known = KNOWN.find((one) => one === slug)
  const title = known ? t(`scenarios.names.${known}.title`) : scenario.title
  const running = run !== undefined && !run.ended
  const start = () =>
    form.submit(async (args) => {
      const begun = await api.call('sandbox.scenario', { slug, background: true, ...args })
      // The button is free as soon as the sandbox has begun.
      const first = { runs: [begun.run], events: begun.events, making: begun.running, subject: null }
      void followRun(`scenario:${slug}`, first).then(refresh)
    })
  const stop = () => form.action.run(() => api.call('sandbox.stop-run', { run: run?.runs[0] ?? '' }))
  const entries = Object.values(run?.outcomes ?? {}).reduce((sum, n) => sum + n, 0)
  return (
    <li className={cx(styles.scenario, 'items-center border-t border-line-soft px-16 py-9')}>
      <div>
        <p className="font-medium">
          {title} <code className="ml-4 text-fg-3 text-xs font-normal">{slug}</code>
        </p>
        <p className="text-fg-2 text-s leading-[1.45]">
          {known ? t(`scenarios.names.${known}.summary`) : scenario.summary}
        </p>
      </div>
      <div className="flex items-start gap-8 [&_button]:w-84">
        <FormField
          form={form}
          name="count"
          label={t('scenarios.countOf', { title })}
          hideLabel
          className={styles.short}
        />
        <FormField
          form={form}
          name="seed"
          label={t('scenarios.seedOf', { title })}
          hideLabel
          placeholder={t('scenarios.seedAny')}
          className={styles.short}
        />
        {running && run.making ? (
          <Button
            icon={<Square />}
            onClick={() => void stop()}
            aria-label={`${t('scenarios.cancel')}: ${title}`}
          >
            {t('scenarios.cancel')}
          </Button>
        ) : (
          <Button
            icon={<Play />}
            busy={form.action.busy}
            disabled={!form.right}
            onClick={() => void start()}
            aria-label={t('scenarios.runNamed', { title })}
          >
            {t('scenarios.run')}
          </Button>
        )}
      </div>
      {run || form.refusal ? (
        <div className="grid col-span-full gap-4">
          {running ? (
            <Progress
              label={t('scenarios.progress', { title })}
              value={run.making ? null : entries}
              max={entries + run.pending}
            />
          ) : null}
          {run ? <RunResult run={run} /> : null}
          <Refused refusal={form.refusal} />
        </div>
      ) : null}
    </li>
  )
}
