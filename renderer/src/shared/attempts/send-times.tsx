import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttemptRow } from '#contract/replay.ts'
import { Button } from '@/shared/components/button.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { useReplaySheet } from '@/shared/live/layers.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { AnswerVerdict } from './answer-verdict.tsx'
import { isTimes, MOST_TIMES } from './attempt-words.ts'
import styles from './attempts.module.css'
import type { Comparison } from './compare-view.tsx'

export interface SendTimesProps {
  readonly delivery: number
  /** The result of the last sending. */
  readonly result: readonly AttemptRow[] | null
  readonly onResult: (attempts: readonly AttemptRow[] | null) => void
  readonly onOpen: (attempt: number) => void
  readonly onCompare: (comparison: Comparison) => void
}

/** Sends a delivery several times, one after the other, and says whether the answers are equal: an idempotent handler's are. */
export function SendTimes({ delivery, result, onResult, onOpen, onCompare }: SendTimesProps) {
  const { t } = useTranslation('replays')
  const settings = useSettings((s) => s.settings)
  const action = useAction()
  const targets = settings?.targets ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const [times, setTimes] = useState<number | null>(5)
  const target = chosen ?? settings?.defaultTarget ?? targets[0]?.name ?? ''
  const wrong = !isTimes(times)
  const send = () => {
    if (!isTimes(times)) return
    onResult(null)
    void action.run(async () => {
      const { attempts } = await api.call('replay.send', { delivery, to: { target }, times })
      onResult(attempts)
    })
  }
  const edit = () =>
    useReplaySheet.getState().open({
      ...{ delivery, documentId: null, ids: [], everything: false, filter: null },
      times: isTimes(times) ? times : 1,
    })
  if (targets.length === 0) return <p className={styles.note}>{t('times.noTarget')}</p>
  return (
    <>
      <form
        className="flex items-end gap-8"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Select
          label={t('times.target')}
          className={styles.compareWith}
          value={target}
          onChange={setChosen}
          options={targets.map(({ name }) => ({ value: name, label: name }))}
        />
        <NumberField
          label={t('times.times')}
          className={styles.times}
          value={times}
          onChange={setTimes}
          min={1}
          max={MOST_TIMES}
          error={wrong ? t('times.error') : null}
        />
        <Button type="submit" busy={action.busy}>
          {t('times.send')}
        </Button>
        <Button variant="quiet" title={t('times.editedHint')} onClick={edit}>
          {t('times.edited')}
        </Button>
      </form>
      <Refused refusal={action.refusal} />
      <div role="status">
        {result ? <AnswerVerdict attempts={result} onOpen={onOpen} onCompare={onCompare} /> : null}
      </div>
    </>
  )
}
