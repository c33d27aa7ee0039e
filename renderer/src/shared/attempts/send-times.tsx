import { useTranslation } from 'react-i18next'
import type { AttemptRow } from '#contract/replay.ts'
import { Button } from '@/shared/components/button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import type { Form } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api } from '@/shared/live/api.ts'
import { useReplaySheet } from '@/shared/live/layers.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { AnswerVerdict } from './answer-verdict.tsx'
import { NOTE } from './body-box.tsx'
import type { Comparison } from './compare-view.tsx'

export interface SendTimesProps {
  readonly delivery: number
  readonly result: readonly AttemptRow[] | null
  readonly onResult: (attempts: readonly AttemptRow[] | null) => void
  readonly onOpen: (attempt: number) => void
  readonly onCompare: (comparison: Comparison) => void
}

/** Sends a delivery several times, one after the other, and says whether the answers are equal: an idempotent handler's are. */
export function SendTimes({ delivery, result, onResult, onOpen, onCompare }: SendTimesProps) {
  const { t } = useTranslation('replays')
  const settings = useSettings((s) => s.settings)
  const targets = settings?.targets ?? []
  const first = settings?.defaultTarget ?? targets[0]?.name ?? ''
  const { draft, draw, bind, dialog } = useForm({
    form: (): Form<'replay.send', { readonly target: string; readonly times: number | null }> => ({
      command: 'replay.send',
      first: { target: first, times: 1 },
      params: ({ target, times }) => ({ delivery, to: { target }, times }),
    }),
    texts: ['replays', 'times'],
    look: () => ({
      target: {
        className: 'flex-[0_1_240px] min-w-110!',
        options: targets.map(({ name }) => ({ value: name, label: name })),
      },
      times: { className: 'flex-none w-72', min: 1, max: 100 },
    }),
    follow: true,
    send: async (params) => {
      onResult(null)
      onResult((await api.call('replay.send', params)).attempts)
    },
  })
  const edit = () => useReplaySheet.getState().open({ delivery, times: draft.times || 1 })
  if (targets.length === 0) return <p className={NOTE}>{t('times.noTarget')}</p>
  return (
    <>
      <form {...bind} className="flex items-end gap-8">
        {draw('target')}
        {draw('times')}
        <Button type="submit" busy={dialog.busy}>
          {t('times.send')}
        </Button>
        <Button variant="quiet" title={t('times.editedHint')} onClick={edit}>
          {t('times.edited')}
        </Button>
      </form>
      <Refused refusal={dialog.refusal} />
      <div role="status">
        {result ? <AnswerVerdict attempts={result} onOpen={onOpen} onCompare={onCompare} /> : null}
      </div>
    </>
  )
}
