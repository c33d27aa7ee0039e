import { useTranslation } from 'react-i18next'
import type { Forward } from '#contract/replay.ts'
import { parseFilter } from '#core/filter/parse.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { FormChoice, FormDialog, FormPart, FormRow } from '@/shared/components/form-dialog.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Select } from '@/shared/components/select.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox, Switch } from '@/shared/components/toggle.tsx'
import { FilterField } from '@/shared/filter/filter-field.tsx'
import { shownUrl } from '@/shared/formats/url.ts'
import { useForm } from '@/shared/forms/use-form.ts'
import { api } from '@/shared/live/api.ts'
import { useReplays } from '@/shared/live/replays.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { forwardForm } from './forward-form.ts'

export interface ForwardDialogProps {
  /** Null: a new one. */
  readonly forward: Forward | null
  readonly onClose: () => void
}

/** Which deliveries go to which targets as they arrive. */
export function ForwardDialog({ forward, onClose }: ForwardDialogProps) {
  const { t } = useTranslation(['replays', 'common'])
  const settings = useSettings((s) => s.settings)
  const forwards = useReplays((s) => s.forwards) ?? []
  const putForwards = useReplays((s) => s.putForwards)
  const go = useRoute((s) => s.go)
  const names = settings?.targets.map(({ name }) => name) ?? []
  // A target typed on the command line is a URL, and stays one.
  const offered = [...names, ...(forward?.targets.filter((target) => !names.includes(target)) ?? [])]
  const { draft, change, errorOf, field, toggle, choice, dialog } = useForm({
    form: () =>
      forwardForm({
        forward,
        others: forwards.map(({ name }) => name).filter((name) => name !== forward?.name),
        targets: names,
        defaultTarget: settings?.defaultTarget ?? null,
      }),
    texts: ['replays', 'forwards'],
    send: async (params) => putForwards((await api.call('forwards.save', params)).forwards),
    onSaved: onClose,
  })
  const targetsError = errorOf('targets')
  const filter = parseFilter(draft.filter)
  const send = (target: string, on: boolean) => {
    const targets = on ? [...draft.targets, target] : draft.targets.filter((one) => one !== target)
    change({ targets, ...(targets.includes(draft.answerFrom) ? {} : { answerFrom: '' }) })
  }
  return (
    <FormDialog
      width={640}
      title={forward ? t('forwards.editTitle', { name: forward.name }) : t('forwards.addTitle')}
      description={t('forwards.dialogText')}
      action={t('forwards.save')}
      disabled={offered.length === 0}
      {...dialog}
      onClose={onClose}
    >
      <FormRow>
        <TextField {...field('name')} mono maxLength={60} />
        <NumberField {...field('concurrency')} min={1} max={64} />
      </FormRow>
      <div className="grid gap-4">
        <span aria-hidden="true" className="text-fg-2 label-s">
          {t('forwards.filter')}
        </span>
        <FilterField
          label={t('forwards.filter')}
          text={draft.filter}
          problem={filter.ok ? null : filter}
          placeholder={t('forwards.filterPlaceholder')}
          onType={(text) => change({ filter: text })}
        />
        <p className="text-fg-3 text-xs leading-[1.45]">{t('forwards.filterHint')}</p>
      </div>
      <FormPart title={t('forwards.targets')}>
        {offered.length === 0 ? (
          <Banner
            tone="warning"
            inset
            actions={
              <Button small onClick={() => go('settings', 'targets')}>
                {t('forwards.toTargets')}
              </Button>
            }
          >
            {t('forwards.noTargets')}
          </Banner>
        ) : null}
        {offered.map((target) => (
          <Checkbox
            key={target}
            label={shownUrl(target)}
            checked={draft.targets.includes(target)}
            onChange={(on) => send(target, on)}
          />
        ))}
        {targetsError ? (
          <p role="alert" className="text-invalid text-xs">
            {targetsError}
          </p>
        ) : null}
      </FormPart>
      <FormChoice
        {...choice('whenDown', ['queue', 'drop'])}
        hint={t(`forwards.whenDownHint.${draft.whenDown}`)}
      />
      <FormRow>
        <Select
          {...field('answerFrom')}
          options={[
            { value: '', label: t('forwards.ownAnswer') },
            ...draft.targets.map((target) => ({ value: target, label: target })),
          ]}
        />
        {draft.answerFrom === '' ? null : <NumberField {...field('answerTimeout')} unit="ms" />}
      </FormRow>
      <Switch {...toggle('enabled')} />
    </FormDialog>
  )
}
