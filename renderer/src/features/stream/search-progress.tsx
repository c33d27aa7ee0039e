import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { list } from '@/shared/deliveries/list.ts'
import styles from '@/shared/deliveries/search-progress.module.css'
import { useFormat } from '@/shared/i18n/format.ts'
import type { SourceState } from '@/shared/live/delivery-source.ts'

export interface SearchProgressProps {
  readonly found: number
  readonly searching: NonNullable<SourceState['searching']>
}

/** A search that has not reached the oldest delivery yet: how far it is, and the way to stop it. */
export function SearchProgress({ found, searching: { scanned, of, stopped } }: SearchProgressProps) {
  const { t } = useTranslation(['filters'])
  const format = useFormat()
  const share = of === 0 ? 0 : scanned / of
  return (
    <div className={styles.strip}>
      <progress
        className={cx(styles.bar, 'w-120 h-4 appearance-none border-0 rounded-2 bg-line overflow-hidden')}
        aria-label={t('search.progress')}
        max={of}
        value={scanned}
      />
      <span>
        {t(stopped ? 'search.stopped' : 'search.running', {
          share: format.number(Math.floor(share * 100)),
          count: found,
          found: format.number(found),
        })}
      </span>
      <Button small onClick={() => list.stopSearching(!stopped)}>
        {t(stopped ? 'search.resume' : 'search.stop')}
      </Button>
    </div>
  )
}
