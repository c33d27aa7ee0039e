import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { DetailPane } from '@/features/delivery/detail/detail-pane.tsx'
import { DeliveryActions } from '@/shared/deliveries/delivery-actions.tsx'
import { api, host } from '@/shared/live/api.ts'
import { useSelection } from '@/shared/live/pointing.ts'

/** A task bar lists several windows by their titles. */
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
  // Makes this delivery the selected one for all other code.
  useEffect(() => useSelection.getState().select(id), [id])
  return (
    <section
      data-detail=""
      tabIndex={-1}
      aria-label={t('detail')}
      className="flex flex-col h-full min-h-0 bg-panel outline-none"
    >
      {/* The pane's heading is of a lower level, so this page needs a top-level one. */}
      <h1 className="visually-hidden">{t('alone', { id })}</h1>
      <DetailPane id={id} actions={<DeliveryActions id={id} />} />
    </section>
  )
}
