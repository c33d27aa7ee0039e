import { Box, Keyboard, type LucideIcon, Rows3, Settings2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/components/cx.ts'
import { Tooltip } from '@/components/tooltip.tsx'
import { SCREENS, type Screen, useRoute } from '@/stores/route.ts'
import icon from '../../../../resources/icon.svg?no-inline'
import styles from './rail.module.css'

const ICONS: Readonly<Record<Screen, LucideIcon>> = {
  stream: Rows3,
  sandbox: Box,
  settings: Settings2,
}

/** Where one can go. Links, so that they can be opened and copied like any address. */
export function Rail({ onHelp }: { readonly onHelp: () => void }) {
  const { t } = useTranslation('shell')
  const current = useRoute((s) => s.screen)
  return (
    <nav className={styles.rail} aria-label={t('screens')}>
      <img className={styles.mark} src={icon} alt="Acuse" draggable={false} />
      {SCREENS.map((screen, i) => {
        const Icon = ICONS[screen]
        return (
          <Tooltip key={screen} content={t(screen)} kbd={String(i + 1)} side="right">
            <a
              href={`#/${screen}`}
              aria-label={t(screen)}
              aria-current={current === screen ? 'page' : undefined}
              className={cx(styles.item, current === screen && styles.on)}
              draggable={false}
            >
              <Icon aria-hidden="true" />
            </a>
          </Tooltip>
        )
      })}
      <span className={styles.space} />
      <Tooltip content={t('help')} kbd="?" side="right">
        <button type="button" className={styles.item} aria-label={t('help')} onClick={onHelp}>
          <Keyboard aria-hidden="true" />
        </button>
      </Tooltip>
    </nav>
  )
}
