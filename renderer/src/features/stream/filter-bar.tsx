import { Pause, Play } from 'lucide-react'
import { lazy, memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { Button } from '@/shared/components/button.tsx'
import { LatePopup } from '@/shared/components/late-popup.tsx'
import { useSort } from '@/shared/deliveries/list.ts'
import { late } from '@/shared/i18n/late.ts'
import { useFollow } from '@/shared/live/follow.ts'
import { STREAM } from './actions.ts'
import styles from './filter-bar.module.css'
import { FilterInput } from './filter-input.tsx'
import { KindsTrigger } from './kinds-trigger.tsx'
import { togglePause } from './moving.ts'
import { SavedTrigger } from './saved-trigger.tsx'
import { VerdictChips } from './verdict-chips.tsx'

const SavedFilters = late(['filters'], async () => (await import('./saved-filters.tsx')).SavedFilters)
const KindsMenu = lazy(async () => ({ default: (await import('./kinds-menu.tsx')).KindsMenu }))

/** The screen above it is drawn with every push; the bar has no part in that. */
export const FilterBar = memo(function FilterBar() {
  const { t } = useTranslation('stream')
  const hint = useKeyHint()
  const paused = useFollow((s) => s.paused)
  const sorted = useSort() !== null
  return (
    <header className={styles.bar}>
      <h1 className={styles.title}>{t('title')}</h1>
      <FilterInput />
      <LatePopup trigger={(press) => <SavedTrigger onClick={press} />}>
        {(open) => <SavedFilters defaultOpen={open} />}
      </LatePopup>
      <VerdictChips />
      <LatePopup trigger={(press) => <KindsTrigger onClick={press} />}>
        {(open) => <KindsMenu defaultOpen={open} />}
      </LatePopup>
      <Button
        className={styles.pause ?? ''}
        aria-pressed={paused}
        disabled={sorted}
        title={t(sorted ? 'sort.standing' : 'pauseHint')}
        icon={paused ? <Play /> : <Pause />}
        kbd={hint(STREAM.pause)}
        onClick={togglePause}
      >
        {paused ? t('resume') : t('pause')}
      </Button>
    </header>
  )
})
