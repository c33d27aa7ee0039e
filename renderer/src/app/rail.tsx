import { Keyboard } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { cx } from '@/shared/components/cx.ts'
import { tip } from '@/shared/components/tip.ts'
import { useRoute } from '@/shared/live/route.ts'
import icon from '../../../resources/icon.svg?no-inline'
import { HELP } from './actions.ts'
import { SCREENS } from './go-actions.ts'
import { ROUTES, routeNamed } from './routes.tsx'

const ITEM = cx(
  'grid place-items-center w-38 h-36 p-0 border-0 rounded-8 cursor-default',
  '[transition:background-color_var(--ease),color_var(--ease)]',
  '[&_svg]:size-18 [&_svg]:stroke-[1.7]',
)
const OTHER = 'bg-transparent text-fg-3 hover:bg-line hover:text-fg'

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
      className={cx(
        ITEM,
        current === name
          ? 'bg-accent-weak text-accent forced-colors:outline-2 forced-colors:outline-[Highlight]'
          : OTHER,
      )}
      draggable={false}
    >
      <Icon aria-hidden="true" />
    </a>
  )
  return (
    <nav
      className="flex flex-col items-center gap-4 pt-10 pb-8 border-r border-line bg-sunken"
      aria-label={t('screens')}
    >
      <img className="mb-10 rounded-8 select-none size-28" src={icon} alt="Acuse" draggable={false} />
      {ROUTES.slice(0, -1).map(screen)}
      <span className="flex-1" />
      <button
        type="button"
        {...tip({ content: t('help'), kbd: hint(HELP.help), side: 'right' })}
        className={cx(ITEM, OTHER)}
        aria-label={t('help')}
        onClick={() => HELP.help.run()}
      >
        <Keyboard aria-hidden="true" />
      </button>
      {ROUTES.slice(-1).map(screen)}
    </nav>
  )
}
