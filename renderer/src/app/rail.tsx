import { Keyboard } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { cx } from '@/shared/components/cx.ts'
import { tip } from '@/shared/components/tip.ts'
import { useRoute } from '@/shared/live/route.ts'
import icon from '../../../resources/icon.svg?no-inline'
import { HELP } from './actions.ts'
import { SCREENS } from './go-actions.ts'
import styles from './rail.module.css'
import { ROUTES, routeNamed } from './routes.tsx'

/** Where one can go. Links, so that they can be opened and copied like any address. */
export function Rail() {
  const { t } = useTranslation('shell')
  const hint = useKeyHint()
  const current = useRoute((s) => routeNamed(s.screen).name)
  const screen = ({ name, icon: Icon }: (typeof ROUTES)[number]) => (
    <a
      key={name}
      href={`#/${name}`}
      {...tip({ content: t(name), kbd: hint(SCREENS[name]), side: 'right' })}
      aria-label={t(name)}
      aria-current={current === name ? 'page' : undefined}
      className={cx(styles.item, current === name && styles.on)}
      draggable={false}
    >
      <Icon aria-hidden="true" />
    </a>
  )
  return (
    <nav className={styles.rail} aria-label={t('screens')}>
      <img className={styles.mark} src={icon} alt="Acuse" draggable={false} />
      {ROUTES.slice(0, -1).map(screen)}
      <span className={styles.space} />
      <button
        type="button"
        {...tip({ content: t('help'), kbd: hint(HELP.help), side: 'right' })}
        className={styles.item}
        aria-label={t('help')}
        onClick={() => HELP.help.run()}
      >
        <Keyboard aria-hidden="true" />
      </button>
      {ROUTES.slice(-1).map(screen)}
    </nav>
  )
}
