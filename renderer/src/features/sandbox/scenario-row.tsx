import { Play, Square } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxScenario } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { RunResult } from './run-result.tsx'
import { followRun, useRuns } from './runs.ts'
import { useSandbox } from './sandbox.ts'
import styles from './scenario.module.css'
import { useScenarioText, usualCount } from './scenario-text.ts'

const MOST = 200_000
const isWithin = (value: number | null, least: number, most: number) =>
  value === null || (value >= least && value <= most)

/** A scenario with its run, from its press to its last delivery. */
export function ScenarioRow({ scenario }: { readonly scenario: SandboxScenario }) {
  const { slug, takesCount } = scenario
  const { t } = useTranslation(['sandbox', 'common'])
  const { title, summary } = useScenarioText(scenario)
  const refresh = useSandbox((s) => s.refresh)
  const run = useRuns((s) => s.runs[`scenario:${slug}`])
  const action = useAction()
  const [count, setCount] = useState<number | null>(usualCount(slug))
  const [seed, setSeed] = useState<number | null>(null)
  const running = run !== undefined && !run.ended
  const wrongCount = takesCount && !isWithin(count, 1, MOST)
  const wrongSeed = !isWithin(seed, 0, 0xffff_ffff)
  const start = () =>
    action.run(async () => {
      const begun = await api.call('sandbox.scenario', {
        slug,
        background: true,
        ...(takesCount && count !== null ? { count } : {}),
        ...(seed === null ? {} : { seed }),
      })
      // Followed in its own time: the button is free as soon as the host has begun.
      void followRun(`scenario:${slug}`, {
        runs: [begun.run],
        events: begun.events,
        making: begun.running,
        subject: null,
      }).then(refresh)
    })
  const stop = () => action.run(() => api.call('sandbox.stop-run', { run: run?.runs[0] ?? '' }))
  const entries = Object.values(run?.outcomes ?? {}).reduce((sum, n) => sum + n, 0)
  return (
    <li className={styles.row}>
      <div>
        <p className={styles.title}>
          {title} <code className={styles.slug}>{slug}</code>
        </p>
        <p className={styles.summary}>{summary}</p>
      </div>
      <div className={styles.inputs}>
        {takesCount ? (
          <NumberField
            className={styles.input}
            label={t('scenarios.countOf', { title })}
            hideLabel
            optional
            min={1}
            max={MOST}
            value={count}
            onChange={setCount}
            error={wrongCount ? t('scenarios.countError', { most: MOST }) : null}
          />
        ) : null}
        <NumberField
          className={styles.input}
          label={t('scenarios.seedOf', { title })}
          hideLabel
          optional
          max={0xffff_ffff}
          placeholder={t('scenarios.seedAny')}
          value={seed}
          onChange={setSeed}
          error={wrongSeed ? t('scenarios.seedError') : null}
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
            busy={action.busy}
            disabled={wrongCount || wrongSeed}
            onClick={() => void start()}
            aria-label={t('scenarios.runNamed', { title })}
          >
            {t('scenarios.run')}
          </Button>
        )}
      </div>
      {run || action.refusal ? (
        <div className={styles.outcome}>
          {running ? (
            <Progress
              label={t('scenarios.progress', { title })}
              value={run.making ? null : entries}
              max={entries + run.pending}
            />
          ) : null}
          {run ? <RunResult run={run} /> : null}
          <Refused refusal={action.refusal} />
        </div>
      ) : null}
    </li>
  )
}
