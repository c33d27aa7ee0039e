import type { Refusal } from '#contract/errors.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { Banner } from './banner.tsx'

/** A refusal that belongs to no field. */
export function Refused({ refusal }: { readonly refusal: Refusal | null }) {
  const refusalText = useRefusalText()
  if (!refusal) return null
  return (
    <div className="mt-10" data-refused>
      <Banner tone="error" inset>
        {refusalText(refusal)}
      </Banner>
    </div>
  )
}
