import { Pencil, Pin, Plus, StickyNote } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { annotate, NoteEditor, TagChips, TagInput } from '@/features/delivery/annotations/editors.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { GroupDot, MarkTags, Tag, VerdictMark } from '@/shared/components/tag.tsx'
import { tip } from '@/shared/components/tip.ts'
import { useAction } from '@/shared/components/use-action.ts'
import { localTime, localZone } from '@/shared/formats/local-time.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { draftKey, useAnnotating } from '@/shared/live/layers.ts'

export function DetailHeader(props: { readonly detail: DeliveryDetail; readonly actions?: ReactNode }) {
  const { detail, actions } = props
  const { t, format } = useTexts(['detail', 'common'])
  const instant = instantOf(detail.timestamp)
  const unchecked = detail.verdict === null
  const name = detail.kind ?? detail.event ?? t(unchecked ? 'common:verdict.unjudged' : 'header.noEvent')
  const failed = detail.answer === null || detail.answer >= 400
  return (
    <header className="min-w-0 pt-10 pr-8 pb-4 pl-14">
      <div className="flex flex-wrap items-start gap-x-8 gap-y-2">
        <h2 className="flex flex-auto items-baseline gap-8 min-w-0 heading-l leading-22 [&>:first-child]:-translate-y-1">
          <GroupDot group={detail.group} />
          <span className="min-w-0 overflow-hidden text-ellipsis">
            <Captured text={name} most={200} />
          </span>
        </h2>
        <div className="flex flex-none gap-2 ml-auto">
          <PinButton key={detail.id} detail={detail} />
          {actions}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-8 gap-y-3 mt-2">
        <VerdictMark verdict={detail.verdict} />
        {detail.rejected ? <Tag tone="invalid">{t('common:mark.rejected')}</Tag> : null}
        {detail.malformed ? (
          <Tag tone="invalid" title={t(`common:malformed.${detail.malformed}`)}>
            {t('common:mark.malformed')}
          </Tag>
        ) : null}
        <MarkTags marks={detail.marks} />
        <span className={cx('text-s', failed ? 'text-invalid' : 'text-fg-2')}>
          {detail.answer === null ? t('header.noAnswer') : t('header.answered', { status: detail.answer })}
        </span>
      </div>
      <p className="flex flex-wrap gap-x-8 gap-y-0 mt-3 text-fg-3 code-s-loose tabular-nums [&_time]:rounded-3 [&>:not(:last-child)]:after:ml-8 [&>:not(:last-child)]:after:content-['·']">
        <span>#{detail.id}</span>
        <span>
          <Captured text={`${detail.method} ${detail.url}`} most={300} />
        </span>
      </p>
      <dl
        className={cx(
          'grid grid-cols-[max-content_1fr] gap-x-10 mt-3 text-s',
          '[&_dt]:text-fg-3',
          '[&_dd]:m-0 [&_dd]:min-w-0 [&_dd]:text-fg-2 [&_dd]:code-s-loose [&_dd]:tabular-nums',
          '[&_time]:rounded-3',
        )}
      >
        <dt>{t('header.received')}</dt>
        <dd>
          <Time says={format.instant(detail.receivedAt)}>{localInstant(detail.receivedAt)}</Time>
        </dd>
        <dt>{t('header.timestamp')}</dt>
        <dd>
          {detail.timestamp === null ? (
            t(unchecked ? 'common:verdict.unjudged' : 'header.noTimestamp')
          ) : (
            <Time
              says={
                instant === null
                  ? t('header.noInstant')
                  : t('header.local', { instant: format.instant(instant) })
              }
            >
              <Captured text={detail.timestamp} most={80} />
            </Time>
          )}
        </dd>
      </dl>
      <Annotations key={detail.id} detail={detail} />
    </header>
  )
}

/** The instant of a Timestamp as sent, in microseconds; null for an invalid one. */
function instantOf(timestamp: string | null): number | null {
  const instant = timestamp === null ? Number.NaN : Date.parse(timestamp)
  return Number.isNaN(instant) ? null : instant * 1_000
}

/** Formats an instant (microseconds) as a Timestamp in local time: `2026-11-22T20:57:12.812-04:00`. */
function localInstant(us: number): string {
  const ms = Math.floor(us / 1_000)
  return localTime(ms) + localZone(ms)
}

/** A time with its explanation. */
function Time({ says, children }: { readonly says: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must be reachable by keyboard
    <time tabIndex={0} {...tip({ content: says })} aria-description={says}>
      {children}
    </time>
  )
}

/** Pinned deliveries are exempt from retention. Shows the requested state until the next push brings the host's. */
function PinButton({ detail }: { readonly detail: DeliveryDetail }) {
  const { t } = useTexts(['detail', 'common'])
  const [asked, setAsked] = useState<boolean | null>(null)
  // A key can pin too, so the host's state replaces the requested one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of it clears the state
  useEffect(() => setAsked(null), [detail])
  const pinned = asked ?? detail.marks.includes('pinned')
  const pin = () => {
    setAsked(!pinned)
    api.call('deliveries.pin', { ids: [detail.id], pinned: !pinned }).catch(() => setAsked(null))
  }
  return (
    <IconButton
      data-writes
      small
      label={t(pinned ? 'header.unpin' : 'header.pin')}
      icon={<Pin />}
      pressed={pinned}
      onClick={pin}
    />
  )
}

const TEXT = 'max-h-96 overflow-auto body-s leading-[1.45] whitespace-pre-wrap wrap-anywhere'

function Annotations({ detail }: { readonly detail: DeliveryDetail }) {
  const { t } = useTexts('detail')
  const about = { ids: [detail.id], everything: null }
  const [adding, setAdding] = useState(false)
  const [writing, setWriting] = useState(false)
  const { refused, run } = useAction()
  const draft = useAnnotating((s) => s.drafts[draftKey(about)])
  const noted = detail.noteText !== null || draft !== undefined
  const change = (what: { addTags?: string[]; removeTags?: string[] }) => run(() => annotate(about, what))
  return (
    <>
      <div className="flex flex-wrap items-center gap-4 mt-5">
        <span data-tags className="contents">
          <TagChips
            chips={detail.tags.map((tag) => ({ tag }))}
            onRemove={(tag) => change({ removeTags: [tag] })}
          />
        </span>
        {adding ? (
          <div className="w-170">
            <TagInput
              begin
              refused={refused}
              onAdd={(tag) => change({ addTags: [tag] })}
              onLeave={() => setAdding(false)}
            />
          </div>
        ) : (
          <Button data-writes small variant="quiet" icon={<Plus />} onClick={() => setAdding(true)}>
            {t('annotations.tag')}
          </Button>
        )}
        {noted || writing ? null : (
          <Button data-writes small variant="quiet" icon={<StickyNote />} onClick={() => setWriting(true)}>
            {t('annotations.note')}
          </Button>
        )}
      </div>
      {writing ? (
        <NoteEditor about={about} kept={detail.noteText?.text ?? ''} onDone={() => setWriting(false)} />
      ) : noted ? (
        <Note detail={detail} draft={draft} onWrite={() => setWriting(true)} />
      ) : null}
    </>
  )
}

function Note(props: {
  readonly detail: DeliveryDetail
  readonly draft: string | undefined
  readonly onWrite: () => void
}) {
  const { detail, draft, onWrite } = props
  const { t, format } = useTexts('detail')
  return (
    <div
      className={cx(
        'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-8 gap-y-2 mt-6 mr-6 mb-2 pt-5 pr-4 pb-5',
        'pl-9 border-s-2 border-accent rounded-r-[6px] bg-sunken',
      )}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long note scrolls, by keyboard too */}
      <p className={TEXT} tabIndex={0}>
        {draft ?? detail.noteText?.text}
      </p>
      <IconButton data-writes small label={t('annotations.editNote')} icon={<Pencil />} onClick={onWrite} />
      <span className="col-span-full text-fg-3 text-xs">
        {draft === undefined ? (
          detail.noteText &&
          [detail.noteText.author, format.instant(detail.noteText.at * 1_000)].filter(Boolean).join(' · ')
        ) : (
          <span className="text-warning">{t('annotations.unsaved')}</span>
        )}
      </span>
    </div>
  )
}
