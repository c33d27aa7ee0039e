import { FilterX, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Banner } from '@/components/banner.tsx'
import { Button } from '@/components/button.tsx'
import { EmptyState } from '@/components/empty-state.tsx'
import { useFormat } from '@/i18n/format.ts'
import { useRefusalText } from '@/i18n/refusals.ts'
import { reopenList } from '@/live/list.ts'
import { useFilter } from '@/stores/filter.ts'
import { useStatus } from '@/stores/status.ts'
import { DeliveryGrid } from './delivery-grid.tsx'
import { DetailSplit } from './detail-split.tsx'
import { EmptyStream } from './empty-stream.tsx'
import { FilterBar } from './filter-bar.tsx'
import styles from './stream-screen.module.css'
import { useListView } from './use-list-view.ts'
import { useStreamKeys } from './use-stream-keys.ts'

function NoMatch() {
  const { t } = useTranslation('stream')
  const format = useFormat()
  const set = useFilter((s) => s.set)
  const stored = useStatus((s) => s.status?.counts.stored) ?? 0
  return (
    <EmptyState
      icon={<FilterX />}
      title={t('noMatch.title')}
      actions={<Button onClick={() => set('')}>{t('noMatch.clear')}</Button>}
    >
      {t('noMatch.text', { count: stored, formatted: format.number(stored) })}
    </EmptyState>
  )
}

function Failed({ text }: { readonly text: string }) {
  const { t } = useTranslation(['stream', 'common'])
  return (
    <EmptyState
      icon={<TriangleAlert />}
      title={t('failed.title')}
      actions={<Button onClick={reopenList}>{t('common:retry')}</Button>}
    >
      {text}
    </EmptyState>
  )
}

/** The list stands as it was read last; what failed is said above it. */
function Refused({ text }: { readonly text: string }) {
  const { t } = useTranslation(['stream', 'common'])
  return (
    <Banner
      tone="error"
      title={`${t('failed.title')}.`}
      actions={
        <Button small onClick={reopenList}>
          {t('common:retry')}
        </Button>
      }
    >
      {text}
    </Banner>
  )
}

/** The live list with its filter and the details of one delivery. */
export function StreamScreen() {
  const view = useListView()
  const refusalText = useRefusalText()
  const { state } = view
  useStreamKeys(view)
  const content =
    state.total > 0 ? (
      <DetailSplit>
        {state.refusal ? <Refused text={refusalText(state.refusal)} /> : null}
        <DeliveryGrid view={view} />
      </DetailSplit>
    ) : state.refusal ? (
      <Failed text={refusalText(state.refusal)} />
    ) : state.loading === 'first' ? null : state.filter !== '' ? (
      <NoMatch />
    ) : (
      <EmptyStream />
    )
  return (
    <div className={styles.screen}>
      <FilterBar />
      <div className={styles.content}>{content}</div>
    </div>
  )
}
