import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import styles from './connect.module.css'

/** An address to give away. */
export function AddressLine({ url }: { readonly url: string }) {
  const { t } = useTranslation(['connect', 'common'])
  return (
    <div className={styles.address}>
      <code>{url}</code>
      <CopyButton text={url} label={t('copyUrl', { url })}>
        {t('common:copy')}
      </CopyButton>
    </div>
  )
}
