import { Eye, EyeOff, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import { type HeaderDraft, newHeader } from './header-draft.ts'

export interface HeaderTableProps {
  readonly headers: readonly HeaderDraft[]
  readonly onChange: (headers: readonly HeaderDraft[]) => void
  /** The sentence to show at `header-name-3` or `header-value-0`, or null. */
  readonly errorOf: (place: string) => string | null
  /** Whether each row says if its value is a secret. */
  readonly secrets?: boolean
  /** Secrets are known, and covered until they are looked at. */
  readonly covered?: boolean
}

export function HeaderTable(props: HeaderTableProps) {
  const { headers, onChange, errorOf, secrets = false, covered = false } = props
  const { t } = useTranslation('components')
  const [seen, setSeen] = useState<readonly number[]>([])
  const put = (key: number, part: Partial<HeaderDraft>) =>
    onChange(headers.map((header) => (header.key === key ? { ...header, ...part } : header)))
  return (
    <>
      {headers.length === 0 ? null : (
        // Room for the focus rings, which the scroller would cut.
        <div className={cx('grid gap-6 -m-3 p-3', !covered && 'max-h-260 overflow-y-auto')}>
          {headers.map((header, index) => {
            const number = { number: index + 1 }
            const { key, name } = header
            const hidden = covered && header.secret && !seen.includes(key)
            return (
              <div
                key={key}
                className={cx(
                  'grid gap-6 items-start [content-visibility:auto] [contain-intrinsic-size:auto_28px]',
                  secrets
                    ? 'grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto_auto]'
                    : 'grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]',
                )}
              >
                <TextField
                  label={t('headers.name', number)}
                  hideLabel
                  mono
                  placeholder={t('headers.nameHint')}
                  value={name}
                  onChange={(name) => put(key, { name })}
                  error={errorOf(`header-name-${index}`)}
                />
                <TextField
                  label={t('headers.value', number)}
                  hideLabel
                  mono
                  type={hidden ? 'password' : 'text'}
                  placeholder={
                    header.kept === null ? t('headers.valueHint') : t('headers.kept', { value: header.kept })
                  }
                  value={header.value}
                  onChange={(value) => put(key, { value })}
                  error={errorOf(`header-value-${index}`)}
                  trailing={
                    covered && header.secret ? (
                      <IconButton
                        small
                        label={t(hidden ? 'headers.show' : 'headers.hide', { name })}
                        icon={hidden ? <Eye /> : <EyeOff />}
                        onClick={() => setSeen(hidden ? [...seen, key] : seen.filter((one) => one !== key))}
                      />
                    ) : null
                  }
                />
                {secrets ? (
                  <span className="flex items-center h-control">
                    <Checkbox
                      label={t('headers.secret')}
                      checked={header.secret}
                      onChange={(secret) => put(key, { secret })}
                    />
                  </span>
                ) : null}
                <IconButton
                  label={[t('headers.remove', number), name].filter(Boolean).join(', ')}
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
