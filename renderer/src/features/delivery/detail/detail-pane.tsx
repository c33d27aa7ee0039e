import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryDetail } from '#contract/delivery.ts'
import type { Refusal } from '#contract/errors.ts'
import type { Push } from '#contract/pushes.ts'
import {
  closeBody,
  deliveryBody,
  type FailedBody,
  isOpen,
  isReadWhole,
  type OpenBody,
  openBody,
} from '@/shared/body/open-body.ts'
import type { BodyView, Place } from '@/shared/body/protocol.ts'
import type { Target } from '@/shared/body/raw-view.tsx'
import { useWhole } from '@/shared/body/use-whole.tsx'
import { Button } from '@/shared/components/button.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { type TabItem, TabPanel, Tabs } from '@/shared/components/tabs.tsx'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { lateView } from '@/shared/i18n/texts.ts'
import { api, host } from '@/shared/live/api.ts'
import { useReplaySheet } from '@/shared/live/layers.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { ChecksTab } from './checks-tab.tsx'
import { DetailHeader } from './detail-header.tsx'
import { AccountingTab, EventTab } from './event-tab.tsx'
import { AnswerTab, HeadersTab, RawTab } from './exchange-tabs.tsx'
import { LinesTab } from './lines-tab.tsx'

export function DetailPane({ id, actions }: { readonly id: number; readonly actions?: ReactNode }) {
  const { t } = useTranslation(['detail', 'common'])
  const refusalText = useRefusalText()
  const { shown, retry } = useOpened(id)
  const [tab, setTab] = useState<TabName>('event')
  const [findAsked, setFindAsked] = useState(0)
  // A search does not carry over to the next delivery.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => setFindAsked(0), [id])

  const wanted = useReplaySheet((s) => s.wanted)
  useEffect(() => {
    if (wanted?.delivery === id) setTab('attempts')
  }, [wanted, id])

  const onKeyDown = (event: KeyboardEvent) => {
    const command = event.ctrlKey || event.metaKey
    if (command && event.key.toLowerCase() === 'f' && !event.shiftKey && !event.altKey) {
      setTab('raw')
      setFindAsked((n) => n + 1)
      event.preventDefault()
      event.stopPropagation()
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts of the controls inside; the pane itself is no control
    <div
      role="presentation"
      className="grid grid-rows-[auto_minmax(0,1fr)] grid-cols-1 h-full min-w-0 min-h-0 overflow-hidden bg-panel"
      onKeyDown={onKeyDown}
    >
      {shown.state === 'shown' ? (
        <DetailTabs
          opened={shown.opened}
          {...{ tab, findAsked, actions }}
          onTab={(next) => {
            setTab(next)
            setFindAsked(0)
          }}
        />
      ) : (
        <>
          <div className="flex justify-end min-h-32 px-8 pt-10">{actions}</div>
          {shown.state === 'waiting' ? <Skeleton label={t('common:loading')} /> : null}
          {shown.state === 'failed' ? (
            <EmptyState
              title={t(shown.refusal.code === 'not-found' ? 'gone' : 'failed')}
              actions={<Button onClick={retry}>{t('common:retry')}</Button>}
            >
              {refusalText(shown.refusal)}
            </EmptyState>
          ) : null}
        </>
      )}
    </div>
  )
}

const SKELETON_WIDTHS = [62, 84, 48, 70, 56, 78, 40, 66]

function Skeleton({ label }: { readonly label: string }) {
  return (
    <div
      className="grid content-start gap-14 px-14 [&_i]:h-12 [&_i]:rounded-4 [&_i]:bg-sunken"
      role="status"
      aria-label={label}
    >
      <i className="w-[45%] h-18! mb-6" />
      {SKELETON_WIDTHS.map((width) => (
        <i key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}

const AttemptsPane = lateView(
  ['replays', 'diff'],
  async () => (await import('@/shared/attempts/attempts-pane.tsx')).AttemptsPane,
)
const DocumentTab = lateView(['documents'], async () => (await import('./document-tab.tsx')).DocumentTab)

interface DetailTabsProps {
  readonly opened: Opened
  /** The last selected tab; a delivery without it shows its event. */
  readonly tab: TabName
  readonly onTab: (tab: TabName) => void
  readonly findAsked: number
  readonly actions?: ReactNode
}

/** Header and tabs of one delivery. The selected tab and body view persist across deliveries. */
function DetailTabs({ opened, tab, onTab, findAsked, actions }: DetailTabsProps) {
  const { t } = useTranslation('detail')
  const { detail } = opened
  const whole = useWhole(opened.body)
  const [view, setView] = useState<BodyView | null>(null)
  const [target, setTarget] = useState<(Target & { readonly id: number }) | null>(null)
  const show = (place: Place) => {
    setTarget((before) => ({ id: detail.id, place, asked: (before?.asked ?? 0) + 1 }))
    setView((present) => (present === 'hex' || ('pointer' in place && present === 'text') ? null : present))
    onTab('raw')
  }
  const { body } = whole
  const names = tabNames(body, detail)
  const present = names.includes(tab) ? tab : 'event'
  const frame = useRef<HTMLDivElement>(null)
  const step = (by: 1 | -1) => {
    const next = names[(names.indexOf(present) + by + names.length) % names.length]
    if (next === undefined) return
    onTab(next)
    // Moves the focus when it was in the replaced panel; a focused tab moves it itself.
    requestAnimationFrame(() => {
      const { activeElement } = document
      if (!frame.current?.contains(activeElement) || activeElement?.getAttribute('role') === 'tab')
        frame.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus()
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !typing
    if (event.ctrlKey && event.key === 'Tab') step(event.shiftKey ? -1 : 1)
    else if (plain && (event.key === '[' || event.key === ']')) step(event.key === '[' ? -1 : 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  // The verdict covers all findings; the list has only the first few hundred.
  const { verdict } = detail
  const alert = verdict === 'warning' || verdict === 'invalid' || verdict === 'unreadable' ? verdict : null
  const counted = (name: TabName): Partial<TabItem<TabName>> => {
    if (name === 'checks' && detail.findings > 0) {
      const countLabel = t('tabs.findings', { count: detail.findings })
      return { count: detail.findings, countLabel, ...(alert ? { alert } : {}) }
    }
    // The count would be wrong when only the beginning of the body is loaded.
    if (name === 'lines' && isOpen(body) && isReadWhole(body) && body.event.lines)
      return { count: body.event.lines.count }
    return name === 'attempts' && detail.attempts > 0 ? { count: detail.attempts } : {}
  }
  const onShow = (pointer: string) => show({ pointer })
  const shared = { detail, whole, onShow }
  const { id, documentId } = detail
  const panels: Readonly<Record<TabName, ReactNode>> = {
    event: <EventTab onPart={onTab} {...shared} />,
    checks: <ChecksTab key={id} detail={detail} onShow={show} />,
    lines: <LinesTab {...shared} />,
    accounting: <AccountingTab {...shared} />,
    raw: (
      <RawTab
        target={target?.id === id ? target : null}
        chosen={view}
        onChoose={setView}
        {...{ detail, whole, findAsked }}
      />
    ),
    headers: <HeadersTab detail={detail} />,
    answer: <AnswerTab detail={detail} />,
    attempts: <AttemptsPane of={{ delivery: id }} />,
    document: documentId === null ? null : <DocumentTab {...{ detail, documentId }} />,
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts of the controls inside; it is no control itself
    <div ref={frame} role="presentation" className="contents" onKeyDown={onKeyDown}>
      <DetailHeader detail={detail} actions={actions} />
      <Tabs<TabName>
        label={t('tabs.label')}
        value={present}
        onChange={onTab}
        items={names.map((name) => ({ value: name, label: t(`tabs.${name}`), ...counted(name) }))}
      >
        {names.map((name) => (
          <TabPanel key={name} value={name} className="h-full">
            {panels[name]}
          </TabPanel>
        ))}
      </Tabs>
    </div>
  )
}

const TABS = [
  'event',
  'checks',
  'lines',
  'accounting',
  'raw',
  'headers',
  'answer',
  'attempts',
  'document',
] as const
type TabName = (typeof TABS)[number]

/** A delivery's tabs in order: Lines and Accounting only if its body has them, Document only if it names one. */
function tabNames(body: OpenBody | FailedBody, { documentId }: DeliveryDetail): readonly TabName[] {
  const event = isOpen(body) ? body.event : null
  const there: Partial<Record<TabName, boolean>> = {
    lines: Boolean(event?.lines),
    accounting: Boolean(event?.accounting),
    document: documentId !== null,
  }
  return TABS.filter((name) => there[name] ?? true)
}

/** A delivery with the beginning of its body. The pane replaces both at once, so that no stale part remains. */
interface Opened {
  readonly detail: DeliveryDetail
  readonly body: OpenBody | FailedBody
}
type Shown =
  /** Loading takes noticeably long. */
  | { readonly state: 'waiting' }
  | { readonly state: 'failed'; readonly refusal: Refusal }
  | { readonly state: 'shown'; readonly opened: Opened }

/** Until then the previous delivery stays, to avoid a flash. */
const DELAY_MS = 150

async function open(id: number): Promise<Opened> {
  const [detail, body] = await Promise.all([
    api.call('deliveries.get', { id }),
    openBody(deliveryBody(id, 'decoded')),
  ])
  return { detail, body }
}

/** Whether a push may mean a change of the delivery. */
function concerns({ push, payload }: Push, id: number): boolean {
  if (push === 'deliveries.changed') return payload.skipped > 0 || payload.rows.some((row) => row.id === id)
  return push === 'replays.changed' && (payload.more || payload.deliveries.includes(id))
}

/** The delivery to show, refreshed after analysis and replays. Of quick changes only the last is shown. */
function useOpened(id: number): { shown: Shown; retry: () => void } {
  const [shown, setShown] = useState<Shown>({ state: 'waiting' })
  const [attempt, setAttempt] = useState(0)
  const held = useRef<OpenBody | FailedBody>(undefined)

  // `attempt` only re-runs the effect.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    let current = true
    const timer = setTimeout(() => setShown({ state: 'waiting' }), DELAY_MS)
    open(id).then(
      (opened) => {
        clearTimeout(timer)
        if (!current) return closeBody(opened.body)
        closeBody(held.current)
        held.current = opened.body
        setShown({ state: 'shown', opened })
      },
      (error: unknown) => {
        clearTimeout(timer)
        if (current) setShown({ state: 'failed', refusal: refusalOf(error) })
      },
    )
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [id, attempt])
  useEffect(() => () => closeBody(held.current), [])

  const refresh = useCallback(async () => {
    const detail = await api.call('deliveries.get', { id })
    setShown((present) =>
      present.state === 'shown' && present.opened.detail.id === detail.id
        ? { state: 'shown', opened: { ...present.opened, detail } }
        : present,
    )
  }, [id])
  const failed = shown.state === 'failed'
  useEffect(
    () =>
      host().onPush((push) => {
        if (push.push === 'store.reset') {
          // Deleted, perhaps; or restored.
          if (failed) setAttempt((n) => n + 1)
          else refresh().catch((error: unknown) => setShown((present) => gone(present, id, refusalOf(error))))
        }
        // The next request reports a deletion.
        if (concerns(push, id)) refresh().catch(() => undefined)
      }),
    [id, refresh, failed],
  )
  return { shown, retry: () => setAttempt((n) => n + 1) }
}

/** The state after a refusal: a deleted delivery is shown as deleted; other refusals change nothing. */
function gone(present: Shown, id: number, refusal: Refusal): Shown {
  const meant = present.state === 'shown' && present.opened.detail.id === id
  return meant && refusal.code === 'not-found' ? { state: 'failed', refusal } : present
}
