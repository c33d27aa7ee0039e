import { useEffect, useRef, useState } from 'react'
import type { AttemptDetail, AttemptRow, AttemptsOf } from '#contract/replay.ts'
import { Button } from '@/shared/components/button.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { Select } from '@/shared/components/select.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import type { Form } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { useReplaySheet } from '@/shared/live/layers.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { AttemptGrid } from './attempt-grid.tsx'
import { AttemptView, useAttempts } from './attempt-view.tsx'
import { outcomeText } from './attempt-words.ts'
import { BAR, BAR_HEADING, NOTE } from './body-box.tsx'
import { AnswerVerdict, CompareView, type Comparison } from './compare-view.tsx'

/** Maximum number of attempts offered for a comparison. */
const OFFERED = 100

type Shown =
  | { readonly view: 'list' }
  | { readonly view: 'attempt'; readonly id: number }
  | { readonly view: 'compare'; readonly comparison: Comparison; readonly from: Shown }

export interface AttemptsPaneProps {
  readonly of: AttemptsOf
  readonly failed?: boolean
}

const keyOf = (of: AttemptsOf): string => JSON.stringify(of)

/** Attempts of a delivery, a job or a forward: their list, one opened attempt, or two compared. Fills its parent. */
export function AttemptsPane(props: AttemptsPaneProps) {
  return <Pane key={keyOf(props.of)} {...props} />
}

function Pane({ of, failed: failedFirst = false }: AttemptsPaneProps) {
  const { t } = useTexts('replays')
  const [failed, setFailed] = useState(failedFirst)
  const [shown, setShown] = useState<Shown>({ view: 'list' })
  const [last, setLast] = useState<number | null>(null)
  // Kept here, so that the result survives opening one of its attempts and going back.
  const [sent, setSent] = useState<readonly AttemptRow[] | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const attempts = useAttempts(of, keyOf(of), failed)
  const { rows, refusal, more } = attempts
  const delivery = 'delivery' in of ? of.delivery : null
  const wanted = useReplaySheet((s) => s.wanted)
  useEffect(() => {
    if (!wanted || wanted.delivery !== delivery) return
    setShown({ view: 'attempt', id: wanted.attempt })
    useReplaySheet.getState().want(null)
  }, [wanted, delivery])
  const open = (id: number) => {
    setLast(id)
    setShown({ view: 'attempt', id })
  }
  const toList = () => {
    setShown({ view: 'list' })
    requestAnimationFrame(() => grid.current?.focus())
  }
  const compare = (comparison: Comparison) => setShown({ view: 'compare', comparison, from: shown })
  if (shown.view === 'attempt') {
    return (
      <AttemptView
        id={shown.id}
        onBack={toList}
        actions={(detail) => (
          <>
            {delivery === null ? (
              <Button small onClick={() => void openDelivery(detail.deliveryId, null)}>
                {t('attempts.openDelivery', { id: detail.deliveryId })}
              </Button>
            ) : null}
            <CompareWith detail={detail} rows={rows ?? []} onCompare={compare} />
          </>
        )}
      />
    )
  }
  if (shown.view === 'compare') {
    return <CompareView comparison={shown.comparison} onBack={() => setShown(shown.from)} />
  }
  return (
    <div className="flex flex-col h-full min-w-0 min-h-0">
      {delivery === null ? (
        <div className={BAR}>
          <h3 className={BAR_HEADING}>{t('attempts.heading')}</h3>
          <span className="flex-1" />
          <SegmentedControl<'all' | 'failed'>
            label={t('attempts.which')}
            value={failed ? 'failed' : 'all'}
            onChange={(which) => setFailed(which === 'failed')}
            segments={[
              { value: 'all', label: t('attempts.all') },
              { value: 'failed', label: t('attempts.failed') },
            ]}
          />
        </div>
      ) : (
        <div className="flex-none max-h-[60%] px-14 py-12 overflow-y-auto">
          <SendTimes delivery={delivery} result={sent} onResult={setSent} onOpen={open} onCompare={compare} />
        </div>
      )}
      <Refused refusal={refusal} />
      <div className="flex-1 min-h-0">
        {rows === null ? null : rows.length === 0 ? (
          <EmptyState title={t(failed ? 'attempts.noneFailed' : 'attempts.none')}>
            {delivery === null ? null : t('attempts.noneText')}
          </EmptyState>
        ) : (
          <AttemptGrid
            ref={grid}
            label={t('attempts.list')}
            ofOne={delivery !== null}
            rows={rows}
            last={last}
            onOpen={open}
            onMore={more}
          />
        )}
      </div>
    </div>
  )
}

interface SendTimesProps {
  readonly delivery: number
  readonly result: readonly AttemptRow[] | null
  readonly onResult: (attempts: readonly AttemptRow[] | null) => void
  readonly onOpen: (attempt: number) => void
  readonly onCompare: (comparison: Comparison) => void
}

/** Sends a delivery several times in sequence and shows whether the answers are equal, as an idempotent handler's are. */
function SendTimes({ delivery, result, onResult, onOpen, onCompare }: SendTimesProps) {
  const { t } = useTexts('replays')
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

function CompareWith(props: {
  readonly detail: AttemptDetail
  readonly rows: readonly AttemptRow[]
  readonly onCompare: (comparison: Comparison) => void
}) {
  const { detail, rows, onCompare } = props
  const { t, format } = useTexts('replays')
  const others = rows
    .filter((row) => row.deliveryId === detail.deliveryId && row.id !== detail.id && row.state !== 'sending')
    .slice(0, OFFERED)
  return (
    <>
      {detail.edited ? (
        <Button small onClick={() => onCompare({ of: 'request', attempt: detail.id })}>
          {t('compare.withOriginal')}
        </Button>
      ) : null}
      {others.length > 0 ? (
        <Select
          label={t('compare.with')}
          hideLabel
          value=""
          onChange={(id) =>
            id === '' ? undefined : onCompare({ of: 'answers', left: Number(id), right: detail.id })
          }
          options={[
            { value: '', label: t('compare.with') },
            ...others.map((row) => ({
              value: String(row.id),
              label: `${outcomeText(row, t)} · ${row.target} · ${format.clock(row.startedAt)}`,
            })),
          ]}
        />
      ) : null}
    </>
  )
}
