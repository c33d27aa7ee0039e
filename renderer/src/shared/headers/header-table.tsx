import { Eye, EyeOff, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RESERVED_HEADERS } from '#catalog/http-headers.ts'
import { headerName, headerValue } from '#contract/params.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'

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

/** A header as the user edits it: right or not. */
export interface HeaderDraft {
  /** Its identity while it is edited; names may be empty or come twice. */
  readonly key: number
  readonly name: string
  readonly value: string
  /** The value is a secret that the window was not told, shown as this; it stays as it is until something is typed. */
  readonly kept: string | null
  readonly secret: boolean
}

type HeaderError = 'headerName' | 'headerReserved' | 'headerValue' | 'headerLong'

let lastKey = 0
export function newHeader(known: Partial<Omit<HeaderDraft, 'key'>> = {}): HeaderDraft {
  lastKey += 1
  return { name: '', value: '', kept: null, secret: false, ...known, key: lastKey }
}

/** What no host would take, told while typing. @returns errors by where they stand: `header-name-3`, `header-value-0` */
export function headerErrors(
  headers: readonly HeaderDraft[],
): Map<string, Exclude<HeaderError, 'headerReserved'>> {
  const errors = new Map<string, Exclude<HeaderError, 'headerReserved'>>()
  for (const [index, { name, value }] of headers.entries()) {
    const wrongName = headerName.safeParse(name).error?.issues.at(-1)
    const wrongValue = headerValue.safeParse(value).error?.issues.at(-1)
    if (wrongName)
      errors.set(`header-name-${index}`, wrongName.code === 'too_big' ? 'headerLong' : 'headerName')
    if (wrongValue)
      errors.set(`header-value-${index}`, wrongValue.code === 'too_big' ? 'headerLong' : 'headerValue')
  }
  return errors
}

/** As `headerErrors`, for headers of a request that we send: those of the connection are refused as well. */
export function sentHeaderErrors(headers: readonly HeaderDraft[]): Map<string, HeaderError> {
  const reserved = headers.flatMap(({ name }, index) =>
    RESERVED_HEADERS.has(name.toLowerCase()) ? [[`header-name-${index}`, 'headerReserved'] as const] : [],
  )
  return new Map<string, HeaderError>([...reserved, ...headerErrors(headers)])
}
