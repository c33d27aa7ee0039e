import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { kindSpec } from '#catalog/kinds.ts'
import type { DeliveryDetail, Finding } from '#contract/delivery.ts'
import type { DriftFact } from '#contract/drift.ts'
import { FINDINGS_KEPT } from '#contract/values.ts'
import { findingMessage } from '#core/checks/messages.ts'
import { factWords } from '#core/drift/report.ts'
import type { Place } from '@/shared/body/protocol.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { BY_GRAVITY, inkOf, VERDICT_OF } from '@/shared/components/finding-note.tsx'
import { VERDICT_SIGNS } from '@/shared/components/tag.tsx'
import { useTexts } from '@/shared/i18n/format.ts'

const PLACE =
  'px-3 py-1 border-0 rounded-3 bg-transparent text-accent-text tabular-nums cursor-default hover:underline'

/** Findings per level that are rendered first: about a screenful. */
const FIRST = 20

type Judged = Pick<DeliveryDetail, 'verdict' | 'kind' | 'findings' | 'findingList'> &
  Partial<Pick<DeliveryDetail, 'drift'>>

export interface ChecksTabProps {
  readonly detail: Judged
  /** Without it, places are plain text. */
  readonly onShow?: (place: Place) => void
}

export function ChecksTab({ detail, onShow }: ChecksTabProps) {
  const { t, format } = useTexts('detail')
  const groups = useMemo(
    () =>
      BY_GRAVITY.map((level) => ({
        level,
        list: detail.findingList.filter((f) => f.level === level),
      })).filter((group) => group.list.length > 0),
    [detail.findingList],
  )
  const most = useDeferredValue(FINDINGS_KEPT, FIRST)
  if (detail.verdict === null) return <p className="m-14 text-fg-2 text-s">{t('checks.unjudged')}</p>
  if (detail.verdict === 'test')
    return <p className="m-14 text-fg-2 text-s leading-[1.45]">{t('checks.test')}</p>
  const drift = <DriftSection facts={detail.drift ?? []} onShow={onShow} />
  if (groups.length === 0) return <NoFindings detail={detail}>{drift}</NoFindings>
  const unlisted = detail.findings - detail.findingList.length
  return (
    <div className="h-full overflow-y-auto pb-12 overscroll-contain">
      {groups.map(({ level, list }) => (
        <section key={level}>
          <h3
            className={cx(
              'flex items-baseline gap-6 mx-14 mt-12 mb-2 heading-s [&_span]:text-fg-3 [&_span]:font-normal',
              inkOf(level),
            )}
          >
            <b aria-hidden="true">{VERDICT_SIGNS[VERDICT_OF[level]]}</b> {t(`level.${level}`)}
            <span>{format.number(list.length)}</span>
          </h3>
          <ul>
            {list.slice(0, most).map((finding, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same finding may occur twice; the list never changes in place
              <Item key={index} finding={finding} {...(onShow ? { onShow } : {})} />
            ))}
          </ul>
        </section>
      ))}
      {unlisted > 0 ? (
        <p className="mx-14 my-8 text-fg-3 text-xs leading-[1.45]">
          {t('checks.unlisted', { count: unlisted })}
        </p>
      ) : null}
      {drift}
    </div>
  )
}

function Item({ finding, onShow }: { readonly finding: Finding; readonly onShow?: (place: Place) => void }) {
  const { t, language } = useTexts('detail')
  const { line, column = 1, pointer } = finding
  return (
    <li className="mx-14 py-7 border-b border-line-soft [content-visibility:auto] [contain-intrinsic-size:auto_48px]">
      <p className="mb-3 text-m leading-[1.45]">
        <Captured text={findingMessage(finding, language)} />
      </p>
      <div className="flex flex-wrap items-center gap-x-10 gap-y-0 text-fg-3 text-xs">
        {pointer === '' ? null : (
          <span className="inline-flex items-center min-w-0 text-fg-2">
            <Captured text={pointer} mono most={300} />
            <CopyButton small text={pointer} label={t('checks.copyPointer')} />
          </span>
        )}
        {line === undefined ? (
          pointer === '' || !onShow ? null : (
            <button type="button" className={PLACE} onClick={() => onShow({ pointer })}>
              {t('showInRaw')}
            </button>
          )
        ) : !onShow ? (
          <span className="text-fg-2 tabular-nums">{t('checks.place', { line, column })}</span>
        ) : (
          <button
            type="button"
            className={PLACE}
            aria-label={t('checks.goTo', { line, column })}
            onClick={() => onShow({ line, column })}
          >
            {line}:{column}
          </button>
        )}
        <span>{finding.rule}</span>
        <code className="font-code">{finding.code}</code>
      </div>
    </li>
  )
}

function NoFindings({ detail, children }: { readonly detail: Judged; readonly children: ReactNode }) {
  const { t } = useTexts('detail')
  const fields = detail.kind === null ? 0 : (kindSpec(detail.kind)?.fields.length ?? 0)
  return (
    <div className="h-full overflow-y-auto pb-12 overscroll-contain">
      <h3 className="flex items-baseline gap-6 mx-14 mt-12 mb-2 text-valid heading-s">
        <b aria-hidden="true">✓</b> {t('checks.noFindings')}
      </h3>
      <ul className="grid gap-4 mx-14 mt-6 mb-10 pl-18 text-fg-2 text-s leading-[1.45]">
        <li>{t('checks.checkedBody')}</li>
        <li>{t('checks.checkedEnvelope')}</li>
        <li>{t('checks.checkedFields', { count: fields, kind: detail.kind ?? '' })}</li>
        <li>{t('checks.checkedTypes')}</li>
      </ul>
      <p className="mx-14 my-8 text-fg-3 text-xs leading-[1.45]">{t('checks.notShown')}</p>
      {children}
    </div>
  )
}

/** What a field showed for the first time, below its value: an observation, not a finding. */
export function DriftNotes({ facts }: { readonly facts: readonly DriftFact[] }) {
  if (facts.length === 0) return null
  return facts.map((fact) => (
    <span
      key={fact.code}
      className="block mt-2 pl-7 border-l-2 border-accent text-fg-3 text-xs leading-[1.4] [&_b]:text-accent-text [&_b]:font-medium"
    >
      <FactText fact={fact} />
    </span>
  ))
}

function DriftSection(props: {
  readonly facts: readonly DriftFact[]
  readonly onShow?: ((place: Place) => void) | undefined
}) {
  const { facts, onShow } = props
  const { t } = useTexts('detail')
  if (facts.length === 0) return null
  return (
    <section
      className={cx(
        'mx-14 mt-14 pt-10 border-t border-dashed border-line-strong',
        '[&_li]:py-6 [&_li]:border-b [&_li]:border-line-soft',
        '[&_p]:flex [&_p]:flex-wrap [&_p]:gap-x-10 [&_p]:gap-y-2 [&_p]:text-fg-3 [&_p]:text-xs',
        '[&_p]:leading-[1.45]',
      )}
    >
      <h3 className="text-accent-text heading-s">
        {t('drift.title')} <small className="text-fg-3 text-xs font-normal">{t('drift.apart')}</small>
      </h3>
      <ul>
        {facts.map((fact) => (
          <li key={`${fact.code}${fact.pointer}`}>
            <p className="text-s! [&_b]:text-fg [&_b]:font-normal">
              <FactText fact={fact} />
            </p>
            <p>
              <Captured text={fact.pointer} mono most={300} />
              {onShow && fact.code !== 'gone' ? (
                <button
                  type="button"
                  className="px-3 py-0 border-0 rounded-3 bg-transparent text-accent-text cursor-default hover:underline"
                  onClick={() => onShow({ pointer: fact.pointer })}
                >
                  {t('showInRaw')}
                </button>
              ) : null}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function FactText({ fact }: { readonly fact: DriftFact }) {
  const { t, language } = useTexts('detail')
  const { seen, since } = fact
  return (
    <>
      <b>{factWords(fact, language)}</b> {t('drift.seen', { count: seen, when: since })}
    </>
  )
}
