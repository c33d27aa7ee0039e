import { useTranslation } from 'react-i18next'
import type { Member } from '@/shared/body/protocol.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { Code } from '@/shared/components/code.tsx'
import styles from './event-tab.module.css'

/** Longer JSON gets a block of its own. */
const INLINE = 40

/** A value as sent: quotes around strings, the digits of numbers, lists and objects as their JSON. */
export function FieldValue({ member, most = 400 }: { readonly member: Member; readonly most?: number }) {
  const { t } = useTranslation('detail')
  const more = member.clipped || member.text.length > most
  const text = member.text.slice(0, most) + (more ? '…' : '')
  if (member.type === 'string') {
    return (
      <span className={styles.value}>
        <span className={styles.quote}>"</span>
        <Captured text={text} mono most={most + 1} />
        {more ? null : <span className={styles.quote}>"</span>}
      </span>
    )
  }
  if ((member.type === 'object' || member.type === 'array') && text.length > INLINE) {
    return <Code text={text} wrap {...(more ? {} : { copyLabel: t('event.copyJson') })} />
  }
  const dim = member.type === 'literal' && member.text === 'null'
  return (
    <span className={dim ? styles.nothing : styles.value}>
      <Captured text={text} mono most={most + 1} />
    </span>
  )
}
