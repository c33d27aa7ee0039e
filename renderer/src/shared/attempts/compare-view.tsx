import { type ReactNode, useState } from 'react'
import type { Header } from '#contract/delivery.ts'
import type { AttemptDetail, AttemptRow } from '#contract/replay.ts'
import { type BodyText, bodyText, deliveryBody } from '@/shared/body/open-body.ts'
import { Button } from '@/shared/components/button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { Select } from '@/shared/components/select.tsx'
import { BodyDiff, HeaderDiff } from '@/shared/diff/diff-view.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { AttemptMark } from './attempt-mark.tsx'
import { outcomeText } from './attempt-words.ts'
import { attemptBody, FACTS, NOTE, OpenedPane, PART } from './body-box.tsx'

/** Two answers, or an edited copy beside its original delivery. */
export type Comparison =
  | {
      readonly of: 'answers'
      readonly left: number
      readonly right: number
      /** Attempts from which the user can select another pair. */
      readonly among?: readonly AttemptRow[]
    }
  | { readonly of: 'request'; readonly attempt: number }

interface Side {
  readonly name: string
  /** First line: the status line of the answer, or the request line. */
  readonly line: ReactNode
  readonly lineText: string
  readonly headers: readonly Header[]
  readonly body: BodyText | null
}

const lineOf = (detail: AttemptDetail): string =>
  detail.answer ? `${detail.answer.status} ${detail.answer.statusText}` : (detail.error?.code ?? detail.state)

async function answerSide(id: number, name: string): Promise<Side> {
  const detail = await api.call('attempts.get', { id })
  return {
    name,
    line: <AttemptMark attempt={detail} />,
    lineText: lineOf(detail),
    headers: detail.answer?.headers ?? [],
    body: detail.answer ? await bodyText(attemptBody(id, 'answer')) : null,
  }
}

async function requestSides(
  attempt: number,
  names: readonly [string, string],
): Promise<readonly [Side, Side]> {
  const detail = await api.call('attempts.get', { id: attempt })
  const delivery = await api.call('deliveries.get', { id: detail.deliveryId })
  const [original, sent] = await Promise.all([
    bodyText(deliveryBody(detail.deliveryId, 'raw')),
    bodyText(attemptBody(attempt, 'request')),
  ])
  const side = (name: string, lineText: string, headers: readonly Header[], body: BodyText): Side => ({
    name,
    line: <code>{lineText}</code>,
    lineText,
    headers,
    body,
  })
  return [
    side(names[0], `${delivery.method} ${delivery.url}`, delivery.headers, original),
    side(names[1], `${detail.method} ${detail.url}`, detail.request.headers, sent),
  ]
}

export function CompareView(props: { readonly comparison: Comparison; readonly onBack: () => void }) {
  const { comparison: begun, onBack } = props
  const { t, format } = useTexts('replays')
  const [comparison, setComparison] = useState(begun)
  const { data: sides, refusal } = useAnswer(JSON.stringify(comparison), () =>
    comparison.of === 'answers'
      ? Promise.all([
          answerSide(comparison.left, t('attempts.title', { id: comparison.left })),
          answerSide(comparison.right, t('attempts.title', { id: comparison.right })),
        ])
      : requestSides(comparison.attempt, [t('compare.original'), t('compare.sent')]),
  )
  return (
    <OpenedPane
      title={
        comparison.of === 'answers'
          ? t('compare.answers', { left: comparison.left, right: comparison.right })
          : t('compare.edited', { id: comparison.attempt })
      }
      backLabel={t('compare.back')}
      onBack={onBack}
    >
      {comparison.of === 'answers' && comparison.among ? (
        <div className="flex flex-none flex-wrap gap-x-12 gap-y-8 px-14 pb-10">
          {(['left', 'right'] as const).map((side) => (
            <Select
              key={side}
              label={t(`compare.${side}`)}
              className="flex-[1_1_180px] max-w-320"
              value={String(comparison[side])}
              onChange={(id) => setComparison({ ...comparison, [side]: Number(id) })}
              options={(comparison.among ?? []).map((row) => ({
                value: String(row.id),
                label: `${row.id} · ${outcomeText(row, t)} · ${format.clock(row.startedAt)}`,
              }))}
            />
          ))}
        </div>
      ) : null}
      <Refused refusal={refusal} />
      {sides ? <Sides sides={sides} of={comparison.of} /> : refusal ? null : <Loading className="h-120" />}
    </OpenedPane>
  )
}

function Sides({ sides, of }: { readonly sides: readonly [Side, Side]; readonly of: Comparison['of'] }) {
  const { t } = useTexts('replays')
  const [left, right] = sides
  return (
    <ScrollRegion
      className="flex-1 min-h-0 overflow-y-auto pb-16 border-t border-line focus-visible:-outline-offset-2"
      label={t('compare.title')}
    >
      <div className={PART}>
        <h4>{t(of === 'answers' ? 'compare.status' : 'compare.line')}</h4>
        {left.lineText === right.lineText ? (
          <p className={FACTS}>
            {left.line} <span className={NOTE}>{t('compare.lineEqual')}</span>
          </p>
        ) : (
          sides.map(({ name, line }) => (
            <p key={name} className={FACTS}>
              <span className={NOTE}>{name}:</span> {line}
            </p>
          ))
        )}
      </div>
      <div className={PART}>
        <h4>{t('compare.headers')}</h4>
        <HeaderDiff left={left.headers} right={right.headers} names={[left.name, right.name]} />
      </div>
      <div className={PART}>
        <h4>{t('compare.bodies')}</h4>
        {left.body?.cut || right.body?.cut ? <p className={NOTE}>{t('compare.cut')}</p> : null}
        <BodyDiff left={left.body?.text ?? ''} right={right.body?.text ?? ''} />
      </div>
    </ScrollRegion>
  )
}

/**
 * Groups attempts by equal answer (status and body, or the failure), the largest group first; groups of equal size by first occurrence.
 * Attempts still in progress are left out.
 */
export function answerGroups(attempts: readonly AttemptRow[]) {
  const ended = attempts.filter(({ state }) => state !== 'sending')
  return [...Map.groupBy(ended, (one) => one.answerDigest ?? `${one.state}:${one.error?.code ?? ''}`)]
    .map(([key, list]) => ({ key, attempts: list }))
    .sort((a, b) => b.attempts.length - a.attempts.length)
}

interface AnswerVerdictProps {
  readonly attempts: readonly AttemptRow[]
  readonly onOpen: (attempt: number) => void
  readonly onCompare: (comparison: Comparison) => void
}

/** Shows whether all answers to the same request are equal, as an idempotent handler's are, and lists the different ones. */
export function AnswerVerdict({ attempts, onOpen, onCompare }: AnswerVerdictProps) {
  const { t } = useTexts('replays')
  const groups = answerGroups(attempts)
  const [first] = groups
  const base = first?.attempts[0]
  if (!first || !base) return null
  const equal = groups.length === 1
  const among = attempts.filter(({ state }) => state !== 'sending')
  return (
    <>
      {attempts.length > 1 ? (
        <p className="flex items-center gap-6 mt-10 -mb-2 heading-m">
          <span className={equal ? 'text-valid' : 'text-invalid'} aria-hidden="true">
            {equal ? '✓' : '≠'}
          </span>
          {equal
            ? t('times.equal', { count: attempts.length })
            : t('times.different', { count: groups.length, of: attempts.length })}
        </p>
      ) : null}
      <ul className="grid gap-6 mt-10">
        {groups.map((group) => {
          const one = group.attempts[0] ?? base
          return (
            <li
              key={group.key}
              className="flex flex-wrap items-center gap-x-10 gap-y-4 px-10 py-6 border border-line rounded text-s"
            >
              <b>{t('times.count', { count: group.attempts.length })}</b>
              <AttemptMark attempt={one} />
              <span className="flex-1" />
              {group === first ? null : (
                <Button
                  small
                  onClick={() => onCompare({ of: 'answers', left: base.id, right: one.id, among })}
                >
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
