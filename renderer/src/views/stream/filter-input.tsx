import { CircleX, Search } from 'lucide-react'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Suggestion, suggest } from '#core/filter/suggest.ts'
import { cx } from '@/components/cx.ts'
import { Kbd } from '@/components/kbd.tsx'
import { useLanguage } from '@/i18n/format.ts'
import { useFilter } from '@/stores/filter.ts'
import { useSettings } from '@/stores/settings.ts'
import styles from './filter-input.module.css'
import { FilterProblem } from './filter-problem.tsx'
import { FilterText } from './filter-text.tsx'
import { focusGrid } from './focus.ts'

/** In a block: newer browsers give a promise back from scrolling, which React would take for a clean-up. */
function showOption(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

/** The filter, coloured while it is typed: a transparent field over the same text drawn with its colours. */
export function FilterInput() {
  const { t } = useTranslation('stream')
  const language = useLanguage()
  const { text, problem, type, set } = useFilter()
  const endpoints = useSettings((s) => s.settings?.endpoints)
  const [cursor, setCursor] = useState(0)
  const [focused, setFocused] = useState(false)
  const [dismissed, setDismissed] = useState(false)
  const [active, setActive] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const drawn = useRef<HTMLDivElement>(null)
  const id = useId()

  const offered = suggest(text, cursor, { endpoints: endpoints?.map(({ name }) => name) ?? [] })
  // A completion that would change nothing is no help.
  const items = offered.items.filter((item) => item.insert !== text.slice(offered.from, offered.to))
  const popup = focused && !dismissed && items.length > 0
  const place = () => {
    const field = input.current
    if (!field) return
    setCursor(field.selectionStart ?? field.value.length)
    if (drawn.current) drawn.current.scrollLeft = field.scrollLeft
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text may scroll the field without an event
  useLayoutEffect(place, [text])

  const take = ({ insert }: Suggestion) => {
    const complete = !insert.endsWith(':')
    const before = text.slice(0, offered.from) + insert
    const after = text.slice(offered.to)
    const next = complete && after === '' ? `${before} ` : before
    type(next + after)
    setActive(-1)
    requestAnimationFrame(() => {
      input.current?.setSelectionRange(next.length, next.length)
      place()
    })
  }
  const keyed = (event: KeyboardEvent<HTMLInputElement>) => {
    if (popup && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((at) => (at + step + items.length + (at < 0 && step < 0 ? 1 : 0)) % items.length)
      return
    }
    const chosen = items[Math.max(active, 0)]
    if (popup && chosen && ((event.key === 'Enter' && active >= 0) || event.key === 'Tab')) {
      if (event.shiftKey) return
      event.preventDefault()
      return take(chosen)
    }
    if (event.key === 'Enter') {
      set(text)
      focusGrid()
    }
    if (event.key !== 'Escape') return
    event.stopPropagation()
    if (popup) setDismissed(true)
    else focusGrid()
  }
  return (
    <div className={styles.field}>
      <div className={cx(styles.box, problem && styles.wrong)}>
        <Search className={styles.sign} aria-hidden="true" />
        <div className={styles.layers}>
          <FilterText ref={drawn} text={text} problem={problem} className={styles.drawn ?? ''} />
          <input
            ref={input}
            type="text"
            role="combobox"
            data-filter=""
            className={styles.input}
            aria-label={t('filter.label')}
            aria-expanded={popup}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={popup && active >= 0 ? `${id}-${active}` : undefined}
            aria-invalid={problem !== null}
            aria-describedby={problem ? `${id}-problem` : undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={t('filter.placeholder')}
            value={text}
            onChange={(event) => {
              setDismissed(false)
              setActive(-1)
              type(event.target.value)
            }}
            onFocus={() => {
              setFocused(true)
              setDismissed(text === '')
            }}
            onBlur={() => setFocused(false)}
            onSelect={place}
            onScroll={place}
            onKeyDown={keyed}
          />
        </div>
        {text === '' ? (
          <Kbd>/</Kbd>
        ) : (
          <button
            type="button"
            className={styles.clear}
            aria-label={t('filter.clear')}
            title={t('filter.clear')}
            onClick={() => {
              set('')
              input.current?.focus()
            }}
          >
            <CircleX aria-hidden="true" />
          </button>
        )}
      </div>
      {popup ? (
        <div role="listbox" id={`${id}-list`} aria-label={t('filter.suggestions')} className={styles.popup}>
          {items.map((item, i) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus; options are its active descendants
            <div
              key={item.insert}
              role="option"
              id={`${id}-${i}`}
              aria-selected={i === active}
              className={cx(styles.item, i === active && styles.chosen)}
              ref={i === active ? showOption : null}
              // Before the field loses the focus, and with it the popup.
              onMouseDown={(event) => {
                event.preventDefault()
                take(item)
              }}
            >
              <code>{item.insert}</code>
              <span>{item.meaning[language]}</span>
            </div>
          ))}
        </div>
      ) : null}
      {problem && !popup ? (
        <FilterProblem
          id={`${id}-problem`}
          problem={problem}
          onReplace={(by) => {
            set(text.slice(0, problem.at) + by + text.slice(problem.at + problem.length))
            input.current?.focus()
          }}
        />
      ) : null}
    </div>
  )
}
