import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttemptRow } from '#contract/replay.ts'
import { Button } from '@/components/button.tsx'
import { NumberField } from '@/components/number-field.tsx'
import { Select } from '@/components/select.tsx'
import { api } from '@/live/api.ts'
import { useSettings } from '@/stores/settings.ts'
import { Refused } from '@/views/settings/refused.tsx'
import { useAction } from '@/views/settings/use-action.ts'
import { answerGroups } from './answer-groups.ts'
import { AttemptMark } from './attempt-mark.tsx'
import styles from './attempts.module.css'
import type { Comparison } from './compare-view.tsx'

const MOST_TIMES = 100

export interface SendTimesProps {
  readonly delivery: number
  readonly onOpen: (attempt: number) => void
  readonly onCompare: (comparison: Comparison) => void
}

/** Sends a delivery several times, one after the other, and says whether the answers are equal: an idempotent handler's are. */
export function SendTimes({ delivery, onOpen, onCompare }: SendTimesProps) {
  const { t } = useTranslation('replays')
  const settings = useSettings((s) => s.settings)
  const action = useAction()
  const targets = settings?.targets ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const [times, setTimes] = useState<number | null>(5)
  const [result, setResult] = useState<{ delivery: number; attempts: readonly AttemptRow[] } | null>(null)
  const target = chosen ?? settings?.defaultTarget ?? targets[0]?.name ?? ''
  const wrong = times === null || times < 1 || times > MOST_TIMES
  const send = () => {
    if (times === null || wrong) return
    setResult(null)
    void action.run(async () => {
      const { attempts } = await api.call('replay.send', { delivery, to: { target }, times })
      setResult({ delivery, attempts })
    })
  }
  if (targets.length === 0) return <p className={styles.note}>{t('times.noTarget')}</p>
  return (
    <>
      <form
        className={styles.row2}
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
      </form>
      <Refused refusal={action.refusal} />
      <div role="status">
        {result?.delivery === delivery ? (
          <Groups attempts={result.attempts} onOpen={onOpen} onCompare={onCompare} />
        ) : null}
      </div>
    </>
  )
}

function Groups(
  props: Pick<SendTimesProps, 'onOpen' | 'onCompare'> & { readonly attempts: readonly AttemptRow[] },
) {
  const { attempts, onOpen, onCompare } = props
  const { t } = useTranslation('replays')
  const groups = answerGroups(attempts)
  const [first] = groups
  const base = first?.attempts[0]
  if (!first || !base) return null
  const equal = groups.length === 1
  return (
    <>
      <p className={styles.verdict}>
        <span className={equal ? styles.ok : styles.failed} aria-hidden="true">
          {equal ? '✓' : '≠'}
        </span>
        {equal
          ? t('times.equal', { count: attempts.length })
          : t('times.different', { count: groups.length, of: attempts.length })}
      </p>
      <ul className={styles.groups}>
        {groups.map((group) => {
          const one = group.attempts[0] ?? base
          return (
            <li key={group.key} className={styles.group}>
              <b>{t('times.count', { count: group.attempts.length })}</b>
              <AttemptMark attempt={one} />
              <span className={styles.spacer} />
              {group === first ? null : (
                <Button small onClick={() => onCompare({ of: 'answers', left: base.id, right: one.id })}>
                  {t('times.compare')}
                </Button>
              )}
              <Button small variant="quiet" onClick={() => onOpen(one.id)}>
                {t('times.open')}
              </Button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
