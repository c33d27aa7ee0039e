import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Header } from '#contract/delivery.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Tag } from '@/shared/components/tag.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import type { Decoded } from './decode-header.ts'
import { decodeHeader } from './decode-header.ts'
import styles from './headers-tab.module.css'

/** What a header's value says once decoded, beneath the value as it came. */
function HeaderMeaning({ name, value }: { readonly name: string; readonly value: string }) {
  return decodeHeader(name, value).map((decoded) => (
    <span key={decoded.as} className="block text-fg-2 text-s wrap-anywhere">
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

/** Drawn at once; the rest is asked for. A delivery may have three thousand headers. */
const AT_ONCE = 200

/** Headers in the order received, names with their case; a name that stands more than once says which one it is. */
export function HeaderList({
  label,
  headers,
}: {
  readonly label: string
  readonly headers: readonly Header[]
}) {
  const { t } = useTranslation('detail')
  const [all, setAll] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list begins short
  useEffect(() => setAll(false), [headers])
  if (headers.length === 0) return <p className="mx-14 my-4 text-fg-3 text-s">{t('headers.none')}</p>
  const times = new Map<string, number>()
  for (const { name } of headers) times.set(name.toLowerCase(), (times.get(name.toLowerCase()) ?? 0) + 1)
  const met = new Map<string, number>()
  const shown = all ? headers : headers.slice(0, AT_ONCE)
  return (
    <>
      <table
        className={cx(styles.table, 'w-[calc(100%_-_28px)] mx-14 my-0 border-collapse table-fixed')}
        aria-label={label}
      >
        <tbody>
          {shown.map(({ name, value, masked }, index) => {
            const key = name.toLowerCase()
            const nth = (met.get(key) ?? 0) + 1
            met.set(key, nth)
            const of = times.get(key) ?? 1
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the place in the list is what identifies a header
              <tr key={index}>
                <th scope="row">
                  <Captured text={name} mono most={200} />
                  {of > 1 ? <Tag title={t('headers.repeated', { nth, of })}>{`${nth}/${of}`}</Tag> : null}
                </th>
                <td className={masked ? 'text-fg-3' : undefined}>
                  <Captured text={value} mono most={8_000} />
                  {masked ? null : <HeaderMeaning name={name} value={value} />}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {shown.length < headers.length ? (
        <div className="mx-14 my-8">
          <Button small onClick={() => setAll(true)}>
            {t('headers.more', { count: headers.length - shown.length })}
          </Button>
        </div>
      ) : null}
    </>
  )
}
