import { useTranslation } from 'react-i18next'
import { Kbd } from '@/components/kbd.tsx'
import styles from './action-keys.module.css'
import type { Keys } from './actions.ts'

/** Keys as they are pressed, alternatives beside each other. */
export function ActionKeys({ keys }: { readonly keys: Keys }) {
  const { t } = useTranslation('shell')
  return keys.map((sequence) => (
    <span key={sequence.join()} className={styles.sequence}>
      {sequence.map((key) => (
        <Kbd key={key}>{key === 'space' || key === 'Del' ? t(`keyNames.${key}`) : key}</Kbd>
      ))}
    </span>
  ))
}
