import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Header } from '#contract/delivery.ts'
import { type ContextGroups, openMenu } from '@/shared/actions/context.ts'
import { copyAction } from '@/shared/actions/made.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { MenuButton, useMenuStops } from '@/shared/components/table.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { filterActions } from '@/shared/deliveries/value-actions.ts'
import { asValue } from '@/shared/live/filter-edit.ts'

/** What a header value means, where it was written in a way that people do not read. */
type Decoded =
  /** Milliseconds since the epoch. */
  | { readonly as: 'instant'; readonly at: number }
  /** `jwt-header` and `jwt-claims`: JSON of a token, not verified. */
  | {
      readonly as:
        | 'media-type'
        | 'basic'
        | 'jwt-header'
        | 'jwt-claims'
        | 'encoded-words'
        | 'percent'
        | 'utf-8'
      readonly text: string
    }

/** Longer values are no text that anybody wrote. */
const LONGEST = 16_384

const MEDIA_TYPES: ReadonlySet<string> = new Set(['content-type', 'accept-patch'])
const DATES: ReadonlySet<string> = new Set([
  'date',
  'expires',
  'last-modified',
  'if-modified-since',
  'if-unmodified-since',
  'retry-after',
])
const URLS: ReadonlySet<string> = new Set(['referer', 'location', 'content-location', 'origin', 'link'])

/** What cannot be read is not shown: an unknown charset, bytes that are none of it, no base64, percent signs that are no UTF-8. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
const strict = (charset: string, bytes: Uint8Array): string | undefined =>
  readable(() => new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes))
const bytesOf = (latin1: string): Uint8Array => Uint8Array.from(latin1, (c) => c.charCodeAt(0))
/** @param digits finds those of a byte that is written out */
const unescaped = (text: string, digits: RegExp): Uint8Array =>
  bytesOf(text.replace(digits, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))))

function base64(text: string): Uint8Array | undefined {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(plain) ? readable(() => bytesOf(atob(plain))) : undefined
}

const percent = (text: string): string | undefined =>
  /%[0-9A-Fa-f]{2}/.test(text) ? readable(() => decodeURIComponent(text)) : undefined

/** `name="value"` and `name*=utf-8''value` (RFC 8187) behind the first semicolon. */
function parametersOf(text: string): readonly string[] {
  const list: string[] = []
  for (const [, name = '', star, quoted, plain = ''] of text.matchAll(
    /;\s*([!#$%&'+\-.^_`|~0-9A-Za-z]+)(\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g,
  )) {
    const value = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1')
    list.push(`${name} = ${(star ? extended(value) : undefined) ?? value}`)
  }
  return list
}

function extended(value: string): string | undefined {
  const parts = /^([\w-]+)'[\w-]*'(.*)$/.exec(value)
  if (!parts) return undefined
  return strict(parts[1] ?? '', unescaped(parts[2] ?? '', /%([0-9A-Fa-f]{2})/g))
}

const typed = (type: string, parameters: readonly string[]): Decoded[] => [
  { as: 'media-type', text: [type, ...parameters].join(' · ') },
]

function mediaType(value: string): Decoded[] {
  const type = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+*-]+)\s*(;.*)?$/.exec(value)
  if (!type) return []
  const parameters = parametersOf(type[2] ?? '')
  // The type alone says all that it says already.
  return parameters.length === 0 ? [] : typed((type[1] ?? '').toLowerCase(), parameters)
}

function disposition(value: string): Decoded[] {
  const parameters = parametersOf(value)
  const type = value.split(';')[0]?.trim() ?? ''
  return /\*\s*=/.test(value) && parameters.length > 0 ? typed(type, parameters) : []
}

/** RFC 2047: `=?utf-8?B?…?=`, which no HTTP header should hold and some do. White space between two of them is not part of the text. */
function encodedWords(value: string): Decoded[] {
  let understood = true
  const text = value
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(
      /=\?([\w-]+)(?:\*[\w-]+)?\?([BbQq])\?([^?\s]*)\?=/g,
      (all, charset: string, how: string, body: string) => {
        const bytes =
          how.toLowerCase() === 'b'
            ? base64(body)
            : unescaped(body.replaceAll('_', ' '), /=([0-9A-Fa-f]{2})/g)
        const decoded = bytes && strict(charset, bytes)
        if (decoded === undefined) understood = false
        return decoded ?? all
      },
    )
  return understood && text !== value ? [{ as: 'encoded-words', text }] : []
}

function authorization(value: string): Decoded[] {
  const [scheme = '', credentials = ''] = value.trim().split(/\s+/, 2)
  if (scheme.toLowerCase() === 'basic') {
    const bytes = base64(credentials)
    const text = bytes && (strict('utf-8', bytes) ?? strict('windows-1252', bytes))
    return text?.includes(':') ? [{ as: 'basic', text }] : []
  }
  return scheme.toLowerCase() === 'bearer' ? token(credentials) : []
}

/** A token of three parts whose first two are JSON objects (RFC 7519). */
function token(text: string): Decoded[] {
  const parts = text.split('.')
  if (parts.length !== 3) return []
  const json = (part: string | undefined): string | undefined => {
    const bytes = base64(part ?? '')
    const source = bytes && strict('utf-8', bytes)
    return source?.trimStart().startsWith('{') ? source : undefined
  }
  const [header, claims] = [json(parts[0]), json(parts[1])]
  if (header === undefined || claims === undefined) return []
  return [
    { as: 'jwt-header', text: header },
    { as: 'jwt-claims', text: claims },
  ]
}

function instant(value: string): Decoded[] {
  // Only the forms of RFC 9110: `new Date` reads much that is no date.
  if (!/^[A-Za-z]{3,9},? /.test(value) || !/\d\d:\d\d:\d\d/.test(value)) return []
  const at = Date.parse(value)
  return Number.isNaN(at) ? [] : [{ as: 'instant', at }]
}

/**
 * What a header's value says once decoded; empty where it can be read as it stands, or cannot be decoded.
 * @param value characters of the header, one per byte as they came
 */
export function decodeHeader(name: string, value: string): readonly Decoded[] {
  if (value.length > LONGEST) return []
  const key = name.toLowerCase()
  if (MEDIA_TYPES.has(key)) return mediaType(value)
  if (key === 'content-disposition') return disposition(value)
  if (DATES.has(key)) return instant(value)
  if (key === 'authorization' || key === 'proxy-authorization') return authorization(value)
  const words = encodedWords(value)
  if (words.length > 0) return words
  if (URLS.has(key) || key === 'cookie') {
    const text = percent(value)
    return text === undefined ? [] : [{ as: 'percent', text }]
  }
  if (!/[\x80-\xff]/.test(value) || /[^\0-\xff]/.test(value)) return []
  const text = strict('utf-8', bytesOf(value))
  return text === undefined ? [] : [{ as: 'utf-8', text }]
}

/** A request target with its percent encoding undone; undefined where there is none. */
export const decodeTarget = (target: string): string | undefined =>
  target.length > LONGEST ? undefined : percent(target)

function Meaning({ decoded }: { readonly decoded: Decoded }) {
  const { t } = useTranslation('detail')
  switch (decoded.as) {
    case 'instant':
      return t('headers.instant', { instant: decoded.at * 1_000 })
    case 'media-type':
      return <Captured text={decoded.text} />
    default:
      return (
        <>
          {t(`headers.decoded.${decoded.as}`)} <Captured text={decoded.text} mono most={4_000} />
        </>
      )
  }
}

/** @param filters it is a delivery's own: the stream can be filtered by it */
const headerMenu = (name: string, value: string, masked: boolean, filters: boolean): ContextGroups => [
  filters && !masked && value !== '' ? filterActions(`header.${name.toLowerCase()}:${asValue(value)}`) : [],
  [
    ...(masked ? [] : [copyAction('copy-value', 'on.copyValue', value)]),
    copyAction('copy-header', 'on.copyHeader', `${name}: ${value}`),
  ],
]

/** Drawn at once; the rest is asked for. A delivery may have three thousand headers. */
const AT_ONCE = 200

/** Headers in the order received, names with their case; a name that stands more than once says which one it is. */
export function HeaderList(props: {
  readonly label: string
  readonly headers: readonly Header[]
  /** They are a delivery's own: the stream can be filtered by them. */
  readonly filters?: boolean
}) {
  const { label, headers, filters = false } = props
  const { t } = useTranslation('detail')
  const [all, setAll] = useState(false)
  const { stopOf, onKeyDown } = useMenuStops(0)
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
        className={cx(
          'w-[calc(100%_-_28px)] mx-14 my-0 border-collapse table-fixed',
          '[&_:is(th,td)]:py-4 [&_:is(th,td)]:border-b [&_:is(th,td)]:border-line-soft',
          '[&_:is(th,td)]:align-top',
        )}
        aria-label={label}
        onKeyDown={onKeyDown}
      >
        <tbody>
          {shown.map(({ name, value, masked }, index) => {
            const key = name.toLowerCase()
            const nth = (met.get(key) ?? 0) + 1
            met.set(key, nth)
            const of = times.get(key) ?? 1
            return (
              <tr
                // biome-ignore lint/suspicious/noArrayIndexKey: the place in the list is what identifies a header
                key={index}
                data-menu-row=""
                onContextMenu={(event) => openMenu(event, () => headerMenu(name, value, masked, filters))}
              >
                <th
                  scope="row"
                  className="w-[38%] max-w-220 pr-10 pl-0 text-fg-2 font-normal text-left [&>span]:ml-6"
                >
                  <Captured text={name} mono most={200} />
                  {of > 1 ? <Tag title={t('headers.repeated', { nth, of })}>{`${nth}/${of}`}</Tag> : null}
                </th>
                <td className={cx('px-0 leading-[1.4]', masked && 'text-fg-3')}>
                  <Captured text={value} mono most={8_000} />
                  {(masked ? [] : decodeHeader(name, value)).map((decoded) => (
                    <span key={decoded.as} className="block text-fg-2 text-s wrap-anywhere">
                      <Meaning decoded={decoded} />
                    </span>
                  ))}
                </td>
                <td className="w-22 p-0!">
                  <MenuButton name={name} {...stopOf(index)} />
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
