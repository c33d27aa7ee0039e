import { useTranslation } from 'react-i18next'
import { Kbd } from '@/components/kbd.tsx'
import type { Keys } from './action.ts'
import styles from './action-keys.module.css'

/** Keys that are named in words, which are the language's; the others bear a sign. */
const NAMED = ['space', 'Del', 'Shift', 'Enter', 'Home', 'End', 'PgUp', 'PgDn'] as const

/** Keys as they are pressed, alternatives beside each other. */
export function ActionKeys({ keys }: { readonly keys: Keys }) {
  const { t } = useTranslation('shell')
  const nameOf = (key: string): string => {
    const named = NAMED.find((one) => one === key)
    return named ? t(`keyNames.${named}`) : key
  }
  return keys.map((sequence) => (
    <span key={sequence.join()} className={styles.sequence}>
      {sequence.map((key) => (
        <Kbd key={key}>{nameOf(key)}</Kbd>
      ))}
    </span>
  ))
}
