import { useTranslation } from 'react-i18next'
import { Captured } from '@/shared/components/captured.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { type Decoded, decodeHeader } from './decode-header.ts'
import styles from './headers-tab.module.css'

/** What a header's value says once decoded, beneath the value as it came. */
export function HeaderMeaning({ name, value }: { readonly name: string; readonly value: string }) {
  return decodeHeader(name, value).map((decoded) => (
    <span key={decoded.as} className={styles.meaning}>
      <Meaning decoded={decoded} />
    </span>
  ))
}

function Meaning({ decoded }: { readonly decoded: Decoded }) {
  const { t } = useTranslation('detail')
  const format = useFormat()
  switch (decoded.as) {
    case 'media-type':
      return (
        <Captured
          text={[decoded.type, ...decoded.parameters.map((p) => `${p.name} = ${p.value}`)].join(' · ')}
          most={2_000}
        />
      )
    case 'instant':
      return t('headers.instant', { instant: format.instant(decoded.at * 1_000) })
    default:
      return (
        <>
          {t(`headers.decoded.${decoded.as}`)} <Captured text={decoded.text} mono most={4_000} />
        </>
      )
  }
}
