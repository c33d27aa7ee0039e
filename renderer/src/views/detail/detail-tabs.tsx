import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TabPanel, Tabs } from '@/components/tabs.tsx'
import { loadTexts } from '@/i18n/late-texts.ts'
import type { BodyView, Place } from '@/workers/protocol.ts'
import { AnswerTab } from './answer-tab.tsx'
import { ChecksTab } from './checks-tab.tsx'
import { DetailHeader } from './detail-header.tsx'
import styles from './detail-pane.module.css'
import { EventTab } from './event-tab.tsx'
import { worstOf } from './finding-note.tsx'
import { HeadersTab } from './headers-tab.tsx'
import { RawTab } from './raw-tab.tsx'
import type { Target } from './raw-view.tsx'
import type { Opened } from './use-opened.ts'
import { useWhole } from './use-whole.ts'

export const TAB_NAMES = ['event', 'checks', 'raw', 'headers', 'answer', 'attempts'] as const
/** Comparisons and sending again are not needed to look at a delivery. */
const AttemptsPane = lazy(async () => {
  const [{ AttemptsPane: pane }] = await Promise.all([
    import('@/views/attempts/attempts-pane.tsx'),
    loadTexts('replays'),
    loadTexts('diff'),
  ])
  return { default: pane }
})
export type TabName = (typeof TAB_NAMES)[number]

export interface DetailTabsProps {
  readonly opened: Opened
  readonly tab: TabName
  readonly onTab: (tab: TabName) => void
  readonly findAsked: number
  readonly actions?: ReactNode
}

/** The header and the tabs of one delivery. The tab and the chosen view of the body stay from delivery to delivery. */
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
  const level = worstOf(detail.findingList)
  const wrong = level === 'error' || level === 'unreadable' || level === 'warning'
  const alert = level === 'error' ? 'invalid' : level === 'unreadable' ? 'unreadable' : 'warning'
  return (
    <>
      <DetailHeader detail={detail} actions={actions} />
      <Tabs<TabName>
        label={t('tabs.label')}
        value={tab}
        onChange={onTab}
        items={TAB_NAMES.map((name) =>
          name === 'checks' && detail.findings > 0
            ? {
                value: name,
                label: t('tabs.checks'),
                count: detail.findings,
                countLabel: t('tabs.findings', { count: detail.findings }),
                ...(wrong ? { alert } : {}),
              }
            : { value: name, label: t(`tabs.${name}`) },
        )}
      >
        <TabPanel value="event" className={styles.panel}>
          <EventTab detail={detail} whole={whole} onShow={(pointer) => show({ pointer })} />
        </TabPanel>
        <TabPanel value="checks" className={styles.panel}>
          <ChecksTab detail={detail} onShow={show} />
        </TabPanel>
        <TabPanel value="raw" className={styles.panel}>
          <RawTab
            target={target?.id === detail.id ? target : null}
            chosen={view}
            onChoose={setView}
            {...{ detail, whole, findAsked }}
          />
        </TabPanel>
        <TabPanel value="headers" className={styles.panel}>
          <HeadersTab detail={detail} />
        </TabPanel>
        <TabPanel value="answer" className={styles.panel}>
          <AnswerTab detail={detail} />
        </TabPanel>
        <TabPanel value="attempts" className={styles.panel}>
          <Suspense fallback={null}>
            <AttemptsPane of={{ delivery: detail.id }} />
          </Suspense>
        </TabPanel>
      </Tabs>
    </>
  )
}
