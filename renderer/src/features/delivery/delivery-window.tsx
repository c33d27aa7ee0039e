import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { DetailPane } from '@/features/delivery/detail/detail-pane.tsx'
import { DeliveryActions } from '@/shared/deliveries/delivery-actions.tsx'
import { lateView } from '@/shared/i18n/texts.ts'
import { api, host } from '@/shared/live/api.ts'
import { useCopying } from '@/shared/live/layers.ts'
import { useSelection } from '@/shared/live/pointing.ts'

const CopyStrip = lateView(
  ['order'],
  async () => (await import('@/shared/deliveries/copy-strip.tsx')).CopyStrip,
)

/** Several windows stand in a task bar by their titles. */
function useTitle(id: number): void {
  useEffect(() => {
    const name = async () => {
      const found = await api.call('deliveries.get', { id }).catch(() => null)
      const words = [found?.number ?? `#${id}`, ...(found?.kind ? [found.kind] : []), 'Acuse']
      document.title = words.join(' · ')
    }
    void name()
    // Its number is known once it is judged.
    return host().onPush(({ push, payload }) => {
      if (push === 'deliveries.changed' && payload.rows.some((row) => row.id === id)) void name()
    })
  }, [id])
}

export function DeliveryWindow({ id }: { readonly id: number }) {
  const { t } = useTranslation('stream')
  const copying = useCopying((s) => s.now)
  useTitle(id)
  // Whatever asks which delivery is open is told this one.
  useEffect(() => useSelection.getState().select(id), [id])
  return (
    <section
      data-detail=""
      tabIndex={-1}
      aria-label={t('detail')}
      className="flex flex-col h-full min-h-0 bg-panel outline-none"
    >
      {copying ? <CopyStrip copying={copying} /> : null}
      {/* The pane's own heading is one of many in the whole window; here there must be one above it. */}
      <h1 className="visually-hidden">{t('alone', { id })}</h1>
      <DetailPane id={id} actions={<DeliveryActions id={id} />} />
    </section>
  )
}
