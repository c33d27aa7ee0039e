import { seen } from '@/shared/formats/visible.ts'
import styles from './captured.module.css'
import { cx } from './cx.ts'

export interface CapturedProps {
  readonly text: string
  readonly mono?: boolean
  /** Characters drawn at most; a longer text ends in an ellipsis. */
  readonly most?: number
}

/**
 * Text that came from outside: only ever text nodes, set apart from our own as to direction, with every character written out that
 * would not be seen or would change how its neighbours are drawn.
 */
export function Captured({ text, mono = false, most = 2_000 }: CapturedProps) {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text
  return (
    <bdi
      className={cx('wrap-anywhere whitespace-pre-wrap select-text', mono && 'font-code text-s tabular-nums')}
    >
      {seen(shown).map((part, index) =>
        part.hidden ? (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no identity but their place
            key={index}
            className={cx(styles.chip, 'mx-1 px-2 rounded-3 bg-unreadable-weak text-unreadable font-code')}
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
