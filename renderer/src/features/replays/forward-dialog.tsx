import { useTranslation } from 'react-i18next'
import type { Forward } from '#contract/replay.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { FormDialog, FormPart } from '@/shared/components/form-dialog.tsx'
import { shownUrl } from '@/shared/formats/url.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useReplays } from '@/shared/live/replays.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { forwardForm } from './forward-form.ts'

export interface ForwardDialogProps {
  readonly forward: Forward | null
  readonly onClose: () => void
}

export function ForwardDialog({ forward, onClose }: ForwardDialogProps) {
  const { t } = useTranslation(['replays', 'common'])
  const settings = useSettings((s) => s.settings)
  const forwards = useReplays((s) => s.forwards) ?? []
  const putForwards = useReplays((s) => s.putForwards)
  const go = useRoute((s) => s.go)
  const names = settings?.targets.map(({ name }) => name) ?? []
  // A target typed on the command line is a URL, and stays one.
  const offered = [...names, ...(forward?.targets.filter((target) => !names.includes(target)) ?? [])]
  const { draft, fields, dialog } = useForm({
    form: () =>
      forwardForm({
        forward,
        others: forwards.map(({ name }) => name).filter((name) => name !== forward?.name),
        targets: names,
        defaultTarget: settings?.defaultTarget ?? null,
      }),
    texts: ['replays', 'forwards'],
    look: ({ targets }) => ({
      concurrency: { min: 1, max: 64 },
      filter: { filter: true },
      targets: { options: offered.map((value) => ({ value, label: shownUrl(value) })) },
      answerFrom: {
        options: [
          { value: '', label: t('forwards.ownAnswer') },
          ...targets.map((target) => ({ value: target, label: target })),
        ],
      },
    }),
    onSaved: ({ forwards }) => putForwards(forwards),
    onClose,
  })
  return (
    <FormDialog
      width={640}
      title={forward ? t('forwards.editTitle', { name: forward.name }) : t('forwards.addTitle')}
      description={t('forwards.dialogText')}
      action={t('forwards.save')}
      disabled={offered.length === 0}
      {...dialog}
    >
      {fields(['name', 'concurrency'], 'filter')}
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
        {fields('targets')}
      </FormPart>
      {fields(
        'whenDown',
        !draft.targets.includes(draft.answerFrom) ? ['answerFrom'] : ['answerFrom', 'answerTimeoutMs'],
        'enabled',
      )}
    </FormDialog>
  )
}
