import type { Refusal } from '#contract/errors.ts'
import { Banner } from '@/components/banner.tsx'
import { useRefusalText } from '@/i18n/refusals.ts'
import styles from './settings.module.css'

/** A refusal that belongs to no field. */
export function Refused({ refusal }: { readonly refusal: Refusal | null }) {
  const refusalText = useRefusalText()
  if (!refusal) return null
  return (
    <div className={styles.refused}>
      <Banner tone="error" inset>
        {refusalText(refusal)}
      </Banner>
    </div>
  )
}
