import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import type { UpdateState } from '#contract/updates.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api } from '@/shared/live/api.ts'
import { changeSettings, keepSettings } from '@/shared/live/settings.ts'
import { updateForm } from './forms.ts'
import { InlineForm, Outcome, Part } from './section.tsx'

const AGAIN_MS = 1_000

/** Newer versions: state, feed and installation; nothing in a host that does not replace itself. */
export function UpdateRow({ desktop }: Pick<Settings, 'desktop'>) {
  const { t } = useTranslation('settings')
  const action = useAction()
  const [state, setState] = useState<UpdateState>({ state: 'unsupported' })
  const changing = state.state === 'checking' || state.state === 'downloading'
  // biome-ignore lint/correctness/useExhaustiveDependencies: another feed changes the state too
  useEffect(() => {
    const ask = () => void api.call('updates.get', {}).then(setState, () => undefined)
    ask()
    if (!changing) return
    const timer = setInterval(ask, AGAIN_MS)
    return () => clearInterval(timer)
  }, [changing, desktop.updateFeed])
  const form = useForm({
    form: () => updateForm(desktop),
    texts: ['settings', 'updates'],
    look: () => ({ 'desktop.updateFeed': { wide: true, placeholder: 'https://' } }),
    onSaved: keepSettings,
    follow: true,
  })
  if (state.state === 'unsupported') return null
  const run = (command: 'updates.check' | 'updates.install') =>
    void action.run(async () => setState(await api.call(command, {})))
  return (
    <Part title={t('updates.title')}>
      {state.state === 'failed' ? (
        <div className="w-full">
          <Banner tone="error" inset>
            {sentence(state, t)}
          </Banner>
        </div>
      ) : (
        <Outcome role="status">{sentence(state, t)}</Outcome>
      )}
      {state.state === 'ready' ? (
        <Button variant="primary" busy={action.busy} onClick={() => run('updates.install')}>
          {t('updates.install')}
        </Button>
      ) : (
        <Button
          busy={action.busy || changing}
          disabled={!['current', 'failed'].includes(state.state)}
          onClick={() => run('updates.check')}
        >
          {t('updates.check')}
        </Button>
      )}
      <Refused refusal={action.refusal} />
      <InlineForm form={form}>{form.fields('desktop.updateFeed')}</InlineForm>
      <Switch
        label={t('updates.daily')}
        hint={t('updates.dailyHint')}
        checked={desktop.updateDaily}
        onChange={(updateDaily) =>
          void action.run(() => changeSettings('settings.update', { desktop: { updateDaily } }))
        }
      />
    </Part>
  )
}

function sentence(
  state: Exclude<UpdateState, { state: 'unsupported' }>,
  t: ReturnType<typeof useTranslation<'settings'>>['t'],
): string {
  if (state.state === 'failed') return t(`updates.${state.reason}`, { message: state.message })
  if (state.state === 'current' && state.checkedAt !== null)
    return t('updates.checked', { at: state.checkedAt * 1_000 })
  return t(`updates.${state.state}`, { ...state })
}
