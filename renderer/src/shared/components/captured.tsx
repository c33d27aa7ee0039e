import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { seen } from '@/shared/formats/visible.ts'
import { CopyButton } from './copy-button.tsx'
import { cx } from './cx.ts'

export interface CodeProps {
  readonly text: string
  readonly copyLabel?: string
  readonly wrap?: boolean
  /** Maximum characters drawn per line, and maximum lines; copying takes the whole text. */
  readonly most?: number
  readonly mostLines?: number
}

/** A short monospaced block with a copy button. Bodies belong in the Raw tab: this holds a few lines. */
export function Code({ text, copyLabel, wrap = false, most = 2_000, mostLines }: CodeProps) {
  const { t } = useTranslation('components')
  const lines = text.split(/\r\n|\n/)
  return (
    <div className="flex items-start gap-4 min-w-0 pt-4 pr-4 pb-4 pl-10 border border-line rounded bg-sunken">
      <pre
        className={cx(
          'flex-1 min-w-0 overflow-x-auto py-3 code-s-loose select-text [tab-size:2]',
          'focus-visible:outline-offset-2 focus-visible:rounded-3',
          wrap && 'wrap-anywhere whitespace-pre-wrap',
        )}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
      >
        {lines.slice(0, mostLines).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text have no identity but their place
          <Fragment key={index}>
            {index === 0 ? '' : '\n'}
            <Captured text={line} most={most} />
          </Fragment>
        ))}
        {mostLines !== undefined && lines.length > mostLines ? (
          <p className="text-fg-3 text-s leading-[1.5] font-ui">
            {t('copy.rest', { count: lines.length - mostLines })}
          </p>
        ) : null}
      </pre>
      {copyLabel === undefined ? null : <CopyButton text={text} label={copyLabel} small />}
    </div>
  )
}

export interface CapturedProps {
  readonly text: string
  readonly mono?: boolean
  readonly most?: number
  /** In one line, cut at its end: on the left when it is written from right to left. */
  readonly cut?: boolean
}

/** Untrusted text: text nodes only, isolated text direction, and invisible characters spelled out. */
export function Captured({ text, mono = false, most = 2_000, cut = false }: CapturedProps) {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text
  return (
    <bdi
      className={cx(
        'select-text',
        cut ? 'block truncate text-left' : 'wrap-anywhere whitespace-pre-wrap',
        mono && 'font-code text-s tabular-nums',
      )}
    >
      {seen(shown).map((part, index) =>
        part.hidden ? (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no identity but their place
            key={index}
            className="mx-1 px-2 rounded-3 bg-unreadable-weak text-unreadable text-[0.86em] font-code"
          >
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  )
}
