import { Play, Square } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SandboxScenario } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Progress } from '@/shared/components/progress.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { CARD } from '@/shared/components/section-card.tsx'
import { type Form, given } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api } from '@/shared/live/api.ts'
import { Part, SHORT } from './part.tsx'
import { RunResult, useSandboxText } from './run-result.tsx'
import { followRun, refreshSandbox, useRuns, useSandbox } from './sandbox.ts'

const USUAL: Readonly<Record<string, number>> = { 'outage-day': 60, month: 100, burst: 100 }
const FIELD = { hideLabel: true, optional: true, className: SHORT }

export function ScenariosSection() {
  const { t } = useTranslation('sandbox')
  const scenarios = useSandbox((s) => s.state?.scenarios)
  return (
    <Part name="scenarios">
      <div className={cx(CARD, 'p-0! gap-0!')}>
        {/* Hidden from assistive technology: the fields below have their own names. */}
        <div
          className="flex justify-end gap-8 px-16 py-7 text-fg-3 text-xs max-[720px]:hidden"
          aria-hidden="true"
        >
          <span className={SHORT}>{t('scenarios.count')}</span>
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

type Draft = Readonly<Record<'count' | 'seed', number | null>>

function ScenarioRow({ scenario }: { readonly scenario: SandboxScenario }) {
  const { slug, takesCount } = scenario
  const { t } = useTranslation('sandbox')
  const run = useRuns((s) => s.runs[`scenario:${slug}`])
  const { said } = useSandboxText()
  const title = said('scenarios', slug) ?? scenario.title
  const summary = said('scenarios', `${slug}.summary`) ?? scenario.summary
  const running = run !== undefined && !run.ended
  const { action, dialog, fields } = useForm({
    form: (): Form<'sandbox.scenario', Draft> => ({
      command: 'sandbox.scenario',
      first: { count: takesCount ? (USUAL[slug] ?? null) : null, seed: null },
      params: (draft) => ({ slug, background: true, ...given(draft) }),
    }),
    look: () => ({
      count: { label: t('scenarios.countOf', { title }), ...FIELD },
      seed: { label: t('scenarios.seedOf', { title }), placeholder: t('scenarios.seedAny'), ...FIELD },
    }),
    onSaved: ({ run: id, events, running: emitting }) => {
      // Not awaited: the button is free again as soon as the sandbox has started the run.
      void followRun(`scenario:${slug}`, { runs: [id], events, emitting, subject: null }).then(refreshSandbox)
    },
    follow: true,
  })
  const stop = () => action.run(() => api.call('sandbox.stop-run', { run: run?.runs[0] ?? '' }))
  const cancels = running && run.emitting
  return (
    <li
      className={cx(
        'grid grid-cols-[minmax(0,1fr)_auto] gap-x-20 gap-y-6 items-center border-t border-line-soft',
        'px-16 py-9 max-[720px]:grid-cols-1',
      )}
    >
      <div>
        <p className="font-medium">
          {title} <code className="ml-4 text-fg-3 text-xs font-normal">{slug}</code>
        </p>
        <p className="text-fg-2 text-s leading-[1.45]">{summary}</p>
      </div>
      <div className="flex items-start gap-8 [&_button]:w-84">
        {takesCount ? fields('count', 'seed') : fields('seed')}
        <Button
          icon={cancels ? <Square /> : <Play />}
          busy={action.busy}
          onClick={() => void (cancels ? stop() : dialog.onSubmit())}
          aria-label={cancels ? `${t('scenarios.cancel')}: ${title}` : t('scenarios.runNamed', { title })}
        >
          {t(cancels ? 'scenarios.cancel' : 'scenarios.run')}
        </Button>
      </div>
      {run || dialog.refusal ? (
        <div className="grid col-span-full gap-4">
          {running ? (
            <Progress
              label={t('scenarios.progress', { title })}
              value={run.emitting ? null : run.entries}
              max={run.entries + run.pending}
            />
          ) : null}
          {run ? <RunResult run={run} /> : null}
          <Refused refusal={dialog.refusal} />
        </div>
      ) : null}
    </li>
  )
}
