import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import { type HeaderDraft, newHeader } from './header-draft.ts'
import styles from './header-table.module.css'

export interface HeaderTableProps {
  readonly headers: readonly HeaderDraft[]
  readonly onChange: (headers: readonly HeaderDraft[]) => void
  /** The sentence to show at `header-name-3` or `header-value-0`, or null. */
  readonly errorOf: (place: string) => string | null
  /** Whether each row says if its value is a secret. */
  readonly secrets?: boolean
}

/** Names and values of headers, one row each, and a button for another. */
export function HeaderTable({ headers, onChange, errorOf, secrets = false }: HeaderTableProps) {
  const { t } = useTranslation('components')
  const put = (key: number, part: Partial<HeaderDraft>) =>
    onChange(headers.map((header) => (header.key === key ? { ...header, ...part } : header)))
  return (
    <>
      {headers.length === 0 ? null : (
        <div className={styles.rows}>
          {headers.map((header, index) => {
            const number = { number: index + 1 }
            return (
              <div key={header.key} className={cx(styles.row, secrets && styles.withSecret)}>
                <TextField
                  label={t('headers.name', number)}
                  hideLabel
                  mono
                  placeholder={t('headers.nameHint')}
                  value={header.name}
                  onChange={(name) => put(header.key, { name })}
                  error={errorOf(`header-name-${index}`)}
                />
                <TextField
                  label={t('headers.value', number)}
                  hideLabel
                  mono
                  autoComplete="off"
                  placeholder={
                    header.kept === null ? t('headers.valueHint') : t('headers.kept', { value: header.kept })
                  }
                  value={header.value}
                  onChange={(value) => put(header.key, { value })}
                  error={errorOf(`header-value-${index}`)}
                />
                {secrets ? (
                  <span className="flex items-center h-control">
                    <Checkbox
                      label={t('headers.secret')}
                      checked={header.secret}
                      onChange={(secret) => put(header.key, { secret })}
                    />
                  </span>
                ) : null}
                <IconButton
                  label={t('headers.remove', number)}
                  icon={<X />}
                  onClick={() => onChange(headers.filter((other) => other !== header))}
                />
              </div>
            )
          })}
        </div>
      )}
      {secrets && headers.some(({ secret }) => secret) ? <WeakSecrets /> : null}
      <div>
        <Button small variant="quiet" icon={<Plus />} onClick={() => onChange([...headers, newHeader()])}>
          {t('headers.add')}
        </Button>
      </div>
    </>
  )
}
