import { useTranslation } from 'react-i18next'
import type { Forward } from '#contract/replay.ts'
import { parseFilter } from '#core/filter/parse.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { FormDialog, FormPart } from '@/shared/components/form-dialog.tsx'
import { shownUrl } from '@/shared/formats/url.ts'
import type { Form, Typed } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useReplays } from '@/shared/live/replays.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'

/** A forward as edited. An empty `answerFrom` means the endpoint's own answer. */
function forwardDraft(forward: Forward | null, targets: readonly string[], defaultTarget: string | null) {
  const first = defaultTarget ?? (targets.length === 1 ? targets[0] : undefined)
  const { name = '', enabled = true, filter = '', whenDown = 'queue', answerFrom } = forward ?? {}
  const { concurrency = 1, answerTimeoutMs = 3_000 } = forward ?? {}
  const numbers: Typed<{ concurrency: number; answerTimeoutMs: number }> = { concurrency, answerTimeoutMs }
  return {
    name,
    enabled,
    filter,
    whenDown,
    ...numbers,
    answerFrom: answerFrom ?? '',
    targets: forward?.targets ?? (first === undefined ? [] : [first]),
  }
}

/** Text keys of refused addresses, by the host's reason. */
const REFUSED: ReadonlyMap<unknown, string> = new Map([
  ['own-receiver', 'ownReceiver'],
  ['destination-refused', 'forbidden'],
])

export const forwardForm = (
  forward: Forward | null,
  others: readonly string[],
  targets: readonly string[],
  defaultTarget: string | null,
): Form<'forwards.save', ReturnType<typeof forwardDraft>> => ({
  command: 'forwards.save',
  first: forwardDraft(forward, targets, defaultTarget),
  params: (draft) => ({
    ...draft,
    ...(forward ? { previousName: forward.name } : {}),
    filter: draft.filter.trim(),
    answerFrom: draft.targets.includes(draft.answerFrom) ? draft.answerFrom : null,
    // The field appears only when a target answers.
    answerTimeoutMs: draft.answerFrom === '' ? (draft.answerTimeoutMs ?? 3_000) : draft.answerTimeoutMs,
    temporary: forward?.temporary ?? false,
  }),
  *own(draft) {
    if (others.includes(draft.name)) yield ['name', 'nameTaken']
    if (draft.targets.length === 0) yield ['targets', 'targets']
    if (!parseFilter(draft.filter).ok) yield ['filter', 'filter']
  },
  refused: ({ details }) => {
    const reason = REFUSED.get(details?.reason)
    return reason ? ['targets', reason] : undefined
  },
})

export function ForwardDialog(props: { readonly forward: Forward | null; readonly onClose: () => void }) {
  const { forward, onClose } = props
  const { t } = useTranslation(['replays', 'common'])
  const settings = useSettings((s) => s.settings)
  const forwards = useReplays((s) => s.forwards) ?? []
  const putForwards = useReplays((s) => s.putForwards)
  const go = useRoute((s) => s.go)
  const names = settings?.targets.map(({ name }) => name) ?? []
  // A target set on the command line can be a URL; keep it.
  const offered = [...names, ...(forward?.targets.filter((target) => !names.includes(target)) ?? [])]
  const { draft, fields, dialog } = useForm({
    form: () =>
      forwardForm(
        forward,
        forwards.map(({ name }) => name).filter((name) => name !== forward?.name),
        names,
        settings?.defaultTarget ?? null,
      ),
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
