import { Captured } from '@/shared/components/captured.tsx'
import styles from '@/shared/headers/headers-tab.module.css'

/** Name and value, line by line. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>
            <Captured text={value} mono />
          </dd>
        </div>
      ))}
    </dl>
  )
}
