import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { DetailPane } from '@/features/delivery/detail/detail-pane.tsx'
import { DeliveryActions } from '@/shared/deliveries/delivery-actions.tsx'
import { api, host } from '@/shared/live/api.ts'
import { useSelection } from '@/shared/live/pointing.ts'

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
      {/* The pane's own heading is one of many in the whole window; here there must be one above it. */}
      <h1 className="visually-hidden">{t('alone', { id })}</h1>
      <DetailPane id={id} actions={<DeliveryActions id={id} />} />
    </section>
  )
}
