import { useTranslation } from 'react-i18next'
import { Captured } from '@/shared/components/captured.tsx'
import { GroupDot } from '@/shared/components/group-dot.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { VerdictMark } from '@/shared/components/verdict-mark.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useCompare } from '@/shared/live/compare.ts'
import styles from './diff-layer.module.css'
import type { Compared } from './load-pair.ts'

/** What tells one delivery from the other, and the way to it. */
export function SideFacts({ side: { detail, problem } }: { readonly side: Compared }) {
  const { t } = useTranslation(['diff', 'common'])
  const format = useFormat()
  return (
    <div className={styles.side}>
      <button
        type="button"
        className={styles.id}
        title={t('open', { id: detail.id })}
        onClick={() => {
          useCompare.getState().close()
          void openDelivery(detail.id, null)
        }}
      >
        #{detail.id}
      </button>
      <GroupDot group={detail.group} />
      <span className={styles.kind}>
        <Captured text={detail.kind ?? detail.event ?? `${detail.method} ${detail.url}`} most={120} />
      </span>
      <VerdictMark verdict={detail.verdict} signOnly />
      {detail.marks.includes('synthetic') ? <Tag tone="synthetic">{t('common:mark.synthetic')}</Tag> : null}
      <span className={styles.when}>{format.instant(detail.receivedAt)}</span>
      {detail.number ? (
        <span className={styles.when}>
          <Captured text={detail.number} mono most={60} />
        </span>
      ) : null}
      {problem ? <Tag tone="warning">{t('notDecoded', { problem })}</Tag> : null}
    </div>
  )
}
