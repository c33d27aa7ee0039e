import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { Pushes } from '#contract/pushes.ts'
import type { AttemptDetail, AttemptRow, AttemptsOf, Timings } from '#contract/replay.ts'
import { ANSWER_KEPT, MASKED } from '#contract/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { HeaderList } from '@/shared/headers/header-list.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { useAnswer, useGathered } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { type NewestPage, useNewestRows } from '@/shared/live/newest-rows.ts'
import { useReplays } from '@/shared/live/replays.ts'
import { AttemptTags } from './attempt-grid.tsx'
import { AttemptMark, ImportedTag } from './attempt-mark.tsx'
import { useAttemptErrorText, useOriginText } from './attempt-words.ts'
import { attemptBody, BodyBox, FACTS, NOTE, OpenedPane, PART } from './body-box.tsx'

/** Reads one attempt, again while it is in progress. Secrets are masked until revealed, and masked again for the next attempt. */
function useAttempt(id: number) {
  const [revealed, setRevealed] = useState<number | null>(null)
  const reveal = revealed === id
  const { data, refusal, renew } = useAnswer(`${id} ${reveal}`, () =>
    api.call('attempts.get', reveal ? { id, reveal } : { id }),
  )
  // The masked attempt stays visible while the revealed one loads.
  const [shown, setShown] = useState(data)
  if (data && data !== shown) setShown(data)
  const detail = shown?.id === id ? shown : null
  const delivery = detail?.state === 'sending' ? detail.deliveryId : null
  useEffect(() => {
    if (delivery === null) return
    return useReplays.subscribe(({ last }, before) => {
      if (last !== before.last && concerns(last.changed, { delivery })) renew()
    })
  }, [delivery, renew])
  return { detail, refusal, reveal, toggle: () => setRevealed(reveal ? null : id) }
}

export interface AttemptViewProps {
  readonly id: number
  readonly onBack: () => void
  readonly actions?: (detail: AttemptDetail) => ReactNode
}

export function AttemptView({ id, onBack, actions }: AttemptViewProps) {
  const { t } = useTexts('replays')
  const { detail, refusal, reveal, toggle } = useAttempt(id)
  const secrets =
    detail?.request.headers.some((h) => h.masked) ||
    detail?.answer?.headers.some((h) => h.masked) ||
    (detail && detail.url.search(MASKED) >= 0) ||
    reveal
  return (
    <OpenedPane
      title={t('attempts.title', { id })}
      backLabel={t('attempts.back')}
      onBack={onBack}
      focusOn={id}
      actions={
        <>
          <span className="flex-1" />
          {secrets ? (
            <Button small icon={reveal ? <EyeOff /> : <Eye />} onClick={toggle}>
              {t(reveal ? 'attempts.hide' : 'attempts.reveal')}
            </Button>
          ) : null}
          {detail && actions ? actions(detail) : null}
        </>
      }
    >
      <Refused refusal={refusal} />
      {detail ? <Content key={id} detail={detail} /> : refusal ? null : <Loading className="h-120" />}
    </OpenedPane>
  )
}

function Content({ detail }: { readonly detail: AttemptDetail }) {
  const { t, format } = useTexts('replays')
  const errorText = useAttemptErrorText()
  const originText = useOriginText()
  const { id, answer, error, request, timings } = detail
  const answerSource = useMemo(() => attemptBody(id, 'answer'), [id])
  const requestSource = useMemo(() => attemptBody(id, 'request'), [id])
  return (
    <ScrollRegion
      className="flex-1 min-h-0 overflow-y-auto pb-16 border-t border-line focus-visible:-outline-offset-2"
      label={t('attempts.title', { id })}
    >
      <div className={PART}>
        <p className={FACTS}>
          <AttemptMark attempt={detail} />
          {detail.tookUs === null ? null : <span>{format.duration(detail.tookUs)}</span>}
          <span>{detail.target}</span>
          <AttemptTags row={detail} />
          <ImportedTag of={detail} />
        </p>
        <p className={NOTE}>
          {format.instant(detail.startedAt)} · {originText(detail.origin)}
          {detail.address === null ? null : ` · ${detail.address}`}
        </p>
        {detail.state === 'uncertain' ? <p className={NOTE}>{t('attempts.uncertainHint')}</p> : null}
        {detail.again ? <p className={NOTE}>{t('attempts.againHint')}</p> : null}
        {error ? (
          <p
            className="mt-6 px-10 py-7 rounded bg-invalid-weak text-s leading-[1.45] wrap-anywhere"
            role="note"
          >
            <Captured text={errorText(error)} />
          </p>
        ) : null}
      </div>
      <div className={PART}>
        <h4>{t('timings.title')}</h4>
        <TimingBar timings={timings} reused={detail.reusedConnection} />
      </div>
      {answer ? (
        <>
          <h4 className="heading-s px-14 pt-12 pb-0 mx-0 mt-0 mb-2">
            {t('attempts.answer')} {answer.status} <Captured text={answer.statusText} most={100} />
          </h4>
          <HeaderList label={t('attempts.answerHeaders')} headers={answer.headers} />
          {answer.status >= 300 && answer.status < 400 ? (
            <p className={PART}>{t('attempts.redirect')}</p>
          ) : null}
          {detail.answerSize === 0 ? (
            <p className={PART}>{t('attempts.noAnswerBody')}</p>
          ) : (
            <BodyBox source={answerSource} />
          )}
          {answer.truncated ? (
            <p className={PART}>
              {t('attempts.truncated', {
                kept: format.bytes(Math.min(answer.kept, ANSWER_KEPT)),
                total: format.bytes(detail.answerSize ?? answer.kept),
              })}
            </p>
          ) : null}
        </>
      ) : null}
      <h4 className="heading-s px-14 pt-12 pb-0 mx-0 mt-0 mb-2">{t('attempts.request')}</h4>
      <p className="px-14 code-s-prose [font-variant-ligatures:none] wrap-anywhere [&_b]:font-semibold">
        <b>{detail.method}</b> <Captured text={detail.url} most={2_000} />
      </p>
      <HeaderList label={t('attempts.requestHeaders')} headers={request.headers} />
      {detail.edited ? (
        <BodyBox source={requestSource} />
      ) : (
        <p className={`${PART} ${NOTE}`}>
          {t('attempts.bodyUnchanged', { size: format.bytes(request.size) })}
        </p>
      )}
    </ScrollRegion>
  )
}

const PHASES = ['lookup', 'connect', 'tls', 'send', 'wait', 'receive'] as const
type Phase = (typeof PHASES)[number]
const INK: Readonly<Record<Phase, string>> = {
  lookup: 'bg-(--g-quotations)',
  connect: 'bg-(--g-debit)',
  tls: 'bg-(--g-expenses)',
  send: 'bg-(--g-credit)',
  wait: 'bg-(--g-contacts)',
  receive: 'bg-(--g-invoices)',
}

/** The recorded phases in order, each with its share of the total in percent. */
export function phasesOf(timings: Timings): readonly { phase: Phase; us: number; share: number }[] {
  const taken = PHASES.flatMap((phase) => {
    const us = timings[`${phase}Us`]
    return us === null ? [] : [{ phase, us }]
  })
  const sum = taken.reduce((all, { us }) => all + us, 0)
  return taken.map((one) => ({ ...one, share: sum > 0 ? (one.us / sum) * 100 : 100 / taken.length }))
}

function TimingBar({ timings, reused }: { readonly timings: Timings; readonly reused: boolean }) {
  const { t, format } = useTexts('replays')
  const phases = phasesOf(timings)
  if (phases.length === 0) return <p className="text-fg-3 text-s">{t('timings.none')}</p>
  return (
    <div className="grid gap-6">
      <div
        className="flex gap-1 h-8 overflow-hidden rounded-4 bg-sunken [&_i]:min-w-2 [&_i]:h-full [&_i]:forced-color-adjust-none"
        aria-hidden="true"
      >
        {phases.map(({ phase, share }) => (
          <i key={phase} className={INK[phase]} style={{ width: `${share}%` }} />
        ))}
      </div>
      <dl
        className={cx(
          'flex flex-wrap gap-x-14 gap-y-2 text-s',
          '[&>div]:flex [&>div]:items-center [&>div]:gap-6',
          '[&_dt]:flex [&_dt]:items-center [&_dt]:gap-5 [&_dt]:text-fg-2 [&_dd]:tabular-nums',
        )}
      >
        {phases.map(({ phase, us }) => (
          <div key={phase}>
            <dt>
              <i aria-hidden="true" className={`rounded-2 forced-color-adjust-none size-8 ${INK[phase]}`} />
              {t(`timings.${phase}`)}
            </dt>
            <dd>{format.duration(us)}</dd>
          </div>
        ))}
      </dl>
      {reused ? <p className="text-fg-3 text-s">{t('timings.reused')}</p> : null}
    </div>
  )
}

export function concerns(changed: Pushes['replays.changed'] | null, of: AttemptsOf): boolean {
  if (changed === null) return true
  if ('delivery' in of) return changed.more || changed.deliveries.includes(of.delivery)
  if ('job' in of) return changed.jobs.some(({ id }) => id === of.job)
  return changed.forwards !== null || changed.deliveries.length > 0
}

const PAGE = 200
/** Minimum interval between two reads of the newest attempts while a job makes many. */
const PAUSE_MS = 300
/** Number of pages that may hold attempts in progress; attempts on later pages ended long ago. */
const FRESH_PAGES = 5

/** Attempts of a delivery, a job or a forward, newest first, updated by pushes; null until first read. @param key changes with `of` */
export function useAttempts(of: AttemptsOf, key: string, failed = false) {
  const read = async (place: { readonly before?: number }): Promise<NewestPage<AttemptRow>> => {
    const asked = { of, limit: PAGE, ...place, ...(failed ? { failed } : {}) }
    const { attempts, more } = await api.call('attempts.list', asked)
    return { rows: attempts, next: more ? (attempts.at(-1)?.id ?? null) : null }
  }
  /** Reads from the newest down to the oldest attempt in progress. */
  const newest = async (held: readonly AttemptRow[]) => {
    const onTheirWay = held.findLast(({ state }) => state === 'sending')?.id ?? Number.POSITIVE_INFINITY
    let page = await read({})
    for (let n = 1; n < FRESH_PAGES && page.next !== null && onTheirWay < page.next; n++) {
      const older = await read({ before: page.next })
      page = { rows: [...page.rows, ...older.rows], next: older.next }
    }
    return page
  }
  const older = (before: number) => read({ before })
  const { page, refusal, more, renew } = useNewestRows(`${key}/${failed}`, newest, older)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what they are of
  const changes = useCallback(
    (tell: () => void) =>
      useReplays.subscribe(({ last }, before) => {
        if (last !== before.last && concerns(last.changed, of)) tell()
      }),
    [key],
  )
  useGathered(changes, PAUSE_MS, renew)
  return { rows: page?.rows ?? null, refusal, more }
}
