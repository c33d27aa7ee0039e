import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { NavItem } from '@/shared/components/nav-item.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRoute } from '@/shared/live/route.ts'
import { ChoicesDialog } from './choices-dialog.tsx'
import { laboratoryOn } from './laboratory-draft.ts'
import styles from './nav.module.css'
import { useSandbox } from './sandbox.ts'
import { PARTS, type PartGroup, type PartName } from './sections.ts'

const GROUPS = Object.keys(PARTS) as readonly PartGroup[]

/** What a part has to say of itself while another one is open. */
function Mark({ part }: { readonly part: PartName }) {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const state = useSandbox((s) => s.state)
  if (!state) return null
  const count = (value: number) =>
    value > 0 ? <span className={styles.count}>{format.compact(value)}</span> : null
  const lamp = (words: string, warn = false) => (
    <>
      <span className={cx(styles.lamp, warn && styles.warn)} aria-hidden="true" />
      <span className={styles.said}>{words}</span>
    </>
  )
  switch (part) {
    case 'subscriptions':
      return count(state.subscriptions)
    case 'log':
      return count(Object.values(state.log.outcomes).reduce((sum, n) => sum + n, 0))
    case 'keys':
      return count(state.keys + state.plugins)
    case 'traffic':
      return state.traffic.running ? lamp(t('nav.trafficOn')) : null
    case 'laboratory':
      return laboratoryOn(state.laboratory) ? lamp(t('nav.laboratoryOn'), true) : null
    default:
      return null
  }
}

export function Nav({ part }: { readonly part: PartName }) {
  const { t } = useTranslation('sandbox')
  const go = useRoute((s) => s.go)
  const [choices, setChoices] = useState(false)
  return (
    <nav className={styles.nav} aria-label={t('parts')}>
      {GROUPS.map((group) => (
        <div key={group}>
          <p className={styles.title} id={`sandbox-${group}`}>
            {t(`nav.${group}`)}
          </p>
          <ul className={styles.list} aria-labelledby={`sandbox-${group}`}>
            {PARTS[group].map((name: PartName) => (
              <li key={name}>
                <NavItem label={t(`nav.${name}`)} on={part === name} onClick={() => go('sandbox', name)}>
                  <Mark part={name} />
                </NavItem>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className={styles.foot}>
        <NavItem label={t('choices.link')} onClick={() => setChoices(true)} />
      </div>
      {choices ? <ChoicesDialog onClose={() => setChoices(false)} /> : null}
    </nav>
  )
}
