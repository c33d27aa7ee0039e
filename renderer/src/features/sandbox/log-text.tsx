import { useTranslation } from 'react-i18next'
import { Captured } from '@/shared/components/captured.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import styles from './log-text.module.css'

/** More is not drawn; it is copied all the same. */
const MOST_LINES = 600
const LONGEST_LINE = 20_000

export interface LogTextProps {
  readonly text: string
  /** What the copy button copies, in words; absent for no button. */
  readonly copyLabel?: string
}

/** Text that was sent or came back, line by line as it stood, with everything else that cannot be seen written out. */
export function LogText({ text, copyLabel }: LogTextProps) {
  const { t } = useTranslation('sandbox')
  const lines = text.split(/\r\n|\n/)
  return (
    <div className={styles.block}>
      <div className={styles.lines}>
        {lines.slice(0, MOST_LINES).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text have no identity but their place
          <div key={index} className={styles.line}>
            <Captured text={line} most={LONGEST_LINE} />
          </div>
        ))}
        {lines.length > MOST_LINES ? (
          <p className={styles.rest}>{t('log.rest', { count: lines.length - MOST_LINES })}</p>
        ) : null}
      </div>
      {copyLabel === undefined ? null : <CopyButton text={text} label={copyLabel} small />}
    </div>
  )
}
