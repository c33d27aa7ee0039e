import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import styles from './connect.module.css'

/** An address to give away. */
export function AddressLine({ url }: { readonly url: string }) {
  const { t } = useTranslation(['connect', 'common'])
  return (
    <div
      className={cx(
        styles.address,
        'flex items-center gap-12 pt-5 pr-5 pb-5 pl-12 border border-line-strong rounded-8 bg-panel',
      )}
    >
      <code>{url}</code>
      <CopyButton text={url} label={t('copyUrl', { url })}>
        {t('common:copy')}
      </CopyButton>
    </div>
  )
}
