import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { useReplaySheet } from '@/shared/live/layers.ts'
import { DetailTabs, type TabName } from './detail-tabs.tsx'
import { useOpened } from './use-opened.ts'

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
