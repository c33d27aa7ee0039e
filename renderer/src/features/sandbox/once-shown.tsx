import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import styles from './keys.module.css'

export interface OnceShownProps {
  readonly title: string
  readonly secret: string
  readonly copyLabel: string
  /** It was taken: it goes from the screen, and so from everywhere. */
  readonly onDone: () => void
}

/** A credential in the one moment in which it is known. */
export function OnceShown({ title, secret, copyLabel, onDone }: OnceShownProps) {
  const { t } = useTranslation(['sandbox', 'common'])
  return (
    <div className={styles.once} role="status">
      <p>
        <b>{title}</b> {t('keys.once')}
      </p>
      <div className={styles.secret}>
        <code>{secret}</code>
        <CopyButton text={secret} label={copyLabel} variant="primary">
          {t('common:copy')}
        </CopyButton>
        <Button onClick={onDone}>{t('keys.done')}</Button>
      </div>
    </div>
  )
}
