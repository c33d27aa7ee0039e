import i18next from 'i18next'
import type { FilterMatches } from '#contract/settings.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { loadTexts } from '@/shared/i18n/texts.ts'
import { useStatus } from '@/shared/live/status.ts'
import { noticePermission, showNotice } from '@/shared/platform/web.ts'

/**
 * Shows the browser's notification of what a saved filter found, where that was allowed; the desktop app shows its own. Of what was
 * captured it has kind, number and verdict: it stays on a screen that others see.
 */
export async function tellMatches({ name, delivery, more }: FilterMatches): Promise<void> {
  const native = useStatus.getState().info?.capabilities.nativeWindow ?? true
  if (noticePermission(native) !== 'granted') return
  await loadTexts('filters')
  const { id, kind, number, verdict } = delivery
  const facts = [
    kind ?? i18next.t('filters:notice.unknown'),
    ...(number === null ? [] : [number]),
    ...(verdict === null ? [] : [i18next.t(`common:verdict.${verdict}`)]),
  ].join(' · ')
  const body = more === 0 ? facts : i18next.t('filters:notice.more', { facts, count: more })
  showNotice({ title: name, body, tag: `acuse-filter-${name}` }, () => void openDelivery(id, null))
}
