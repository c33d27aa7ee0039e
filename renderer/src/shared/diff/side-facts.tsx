import { useTranslation } from 'react-i18next'
import { Captured } from '@/shared/components/captured.tsx'
import { GroupDot, Tag, VerdictMark } from '@/shared/components/tag.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useCompare } from '@/shared/live/layers.ts'
import type { Compared } from './load-pair.ts'

/** What tells one delivery from the other, and the way to it. */
export function SideFacts({ side: { detail, problem } }: { readonly side: Compared }) {
  const { t } = useTranslation(['diff', 'common'])
  const format = useFormat()
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-4 min-w-0 px-10 py-6 border border-line rounded bg-bg text-s">
      <button
        type="button"
        className="p-0 border-0 bg-transparent text-accent-text cursor-pointer hover:underline"
        title={t('open', { id: detail.id })}
        onClick={() => {
          useCompare.getState().close()
          void openDelivery(detail.id, null)
        }}
      >
        #{detail.id}
      </button>
      <GroupDot group={detail.group} />
      <span className="font-semibold">
        <Captured text={detail.kind ?? detail.event ?? `${detail.method} ${detail.url}`} most={120} />
      </span>
      <VerdictMark verdict={detail.verdict} signOnly />
      {detail.marks.includes('synthetic') ? <Tag tone="synthetic">{t('common:mark.synthetic')}</Tag> : null}
      <span className="text-fg-2">{format.instant(detail.receivedAt)}</span>
      {detail.number ? (
        <span className="text-fg-2">
          <Captured text={detail.number} mono most={60} />
        </span>
      ) : null}
      {problem ? <Tag tone="warning">{t('notDecoded', { problem })}</Tag> : null}
    </div>
  )
}
