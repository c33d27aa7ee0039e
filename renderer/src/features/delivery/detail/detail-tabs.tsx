import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { type FailedBody, isOpen, isReadWhole, type OpenBody } from '@/shared/body/open-body.ts'
import type { BodyView, Place } from '@/shared/body/protocol.ts'
import type { Target } from '@/shared/body/raw-view.tsx'
import { useWhole } from '@/shared/body/use-whole.ts'
import { type TabItem, TabPanel, Tabs } from '@/shared/components/tabs.tsx'
import { lateView } from '@/shared/i18n/texts.ts'
import { ChecksTab } from './checks-tab.tsx'
import { DetailHeader } from './detail-header.tsx'
import { AccountingTab, EventTab } from './event-tab.tsx'
import { AnswerTab, HeadersTab } from './exchange-tabs.tsx'
import { LinesTab } from './lines-tab.tsx'
import { RawTab } from './raw-tab.tsx'
import type { Opened } from './use-opened.ts'

const AttemptsPane = lateView(
  ['replays', 'diff'],
  async () => (await import('@/shared/attempts/attempts-pane.tsx')).AttemptsPane,
)
const DocumentTab = lateView(['documents'], async () => (await import('./document-tab.tsx')).DocumentTab)

export interface DetailTabsProps {
  readonly opened: Opened
  /** The last selected tab; a delivery without it shows its event. */
  readonly tab: TabName
  readonly onTab: (tab: TabName) => void
  readonly findAsked: number
  readonly actions?: ReactNode
}

/** Header and tabs of one delivery. The selected tab and body view persist across deliveries. */
export function DetailTabs({ opened, tab, onTab, findAsked, actions }: DetailTabsProps) {
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
export type TabName = (typeof TABS)[number]

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
