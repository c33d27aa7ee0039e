import { CircleX, Search } from 'lucide-react'
import { type KeyboardEvent, type Ref, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { Problem } from '#core/filter/problem.ts'
import type { Suggestions } from '#core/filter/suggest.ts'
import { type Token, tokenize } from '#core/filter/tokens.ts'
import type { Action } from '@/shared/actions/action.ts'
import { Kbd, useKeyHint } from '@/shared/components/action-keys.tsx'
import { cx } from '@/shared/components/cx.ts'
import { lateView } from '@/shared/i18n/texts.ts'
import { loadLanguage } from '@/shared/live/membership.ts'
import { useSettings } from '@/shared/live/settings.ts'
import type * as Module from './completions.ts'
import type { Offered } from './completions.ts'

type Completions = typeof Module.completions

const NONE: Suggestions = { from: 0, to: 0, items: [] }
let loaded: Completions | undefined

/** What makes completions comes with the first focus, their counts a moment later. @param recalling offers whole filters used before */
function useSuggestions(
  wanted: boolean,
  recalling: boolean,
  text: string,
  cursor: number,
): Omit<Suggestions, 'items'> & { readonly items: readonly Module.Offered[] } {
  const settings = useSettings((s) => s.settings)
  const [completions, setCompletions] = useState(loaded)
  const [counts, setCounts] = useState<Module.Counts | null>(null)
  useEffect(() => {
    if (!wanted || loaded) return
    void loadLanguage()
    void import('./completions.ts').then((module) => {
      loaded = module.completions
      setCompletions(module.completions)
    })
  }, [wanted])
  const known = {
    endpoints: settings?.endpoints.map(({ name }) => name) ?? [],
    targets: settings?.targets.map(({ name }) => name) ?? [],
  }
  const offered = wanted && completions ? completions.suggest(text, cursor, known) : NONE
  const { field, from } = offered
  useEffect(() => {
    if (!completions || field === undefined) return
    return completions.askCounts(field, text, from, setCounts)
  }, [completions, field, from, text])
  if (wanted && recalling && completions) {
    const items = completions.recalled(settings?.savedFilters ?? [])
    return { from: 0, to: text.length, items }
  }
  if (!completions || counts === null || field !== counts.field) return offered
  return { ...offered, items: completions.withCounts(offered, text, counts) }
}

const FilterProblem = lateView([], async () => (await import('./filter-popup.tsx')).FilterProblem)

const FilterPopup = lateView([], async () => (await import('./filter-popup.tsx')).FilterPopup)

/** As long as for the sentence about it (filter-popup.tsx). */
const DELAY_MS = 500

function usePause(text: string): boolean {
  const [since, setSince] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSince(text), DELAY_MS)
    return () => clearTimeout(timer)
  }, [text])
  return since === text
}

const BOX =
  'flex items-center gap-7 h-control pr-5 pl-9 border rounded bg-bg [transition:border-color_var(--ease)] focus-within:outline-2'
const RIGHT =
  'border-line-strong not-focus-within:hover:border-fg-3 focus-within:border-accent focus-within:outline-[color-mix(in_srgb,var(--accent)_30%,transparent)]'
const WRONG = 'border-invalid focus-within:outline-[color-mix(in_srgb,var(--invalid)_25%,transparent)]'
/** The field, and its text in colours, lie exactly over each other. */
const TYPED =
  'absolute inset-0 w-full h-full m-0 p-0 border-0 code-s leading-26 [font-variant-ligatures:none] tracking-[0] whitespace-pre'

export interface FilterFieldProps {
  readonly label: string
  readonly text: string
  readonly problem: Problem | null
  readonly placeholder: string
  readonly onType: (text: string) => void
  /** A completion, a correction or the empty text was chosen; without it they count as typed. */
  readonly onSet?: (text: string) => void
  /** Enter, with nothing to complete. Without it a form that holds the field is submitted. */
  readonly onEnter?: () => void
  /** Esc, with no completions open. Without it a dialog that holds the field closes. */
  readonly onLeave?: () => void
  /** The action that leads here; only the filter of the screen has one. */
  readonly main?: Action
}

/** A filter, coloured while it is typed: a transparent field over the same text drawn with its colours. */
export function FilterField(props: FilterFieldProps) {
  const { label, text, problem, placeholder, onType, onSet = onType, onEnter, onLeave, main } = props
  const { t } = useTranslation('stream')
  const hint = useKeyHint()
  const [recalling, setRecalling] = useState(false)
  const [cursor, setCursor] = useState(0)
  const [focused, setFocused] = useState(false)
  const [dismissed, setDismissed] = useState(false)
  const [active, setActive] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const drawn = useRef<HTMLDivElement>(null)
  const id = useId()
  const paused = usePause(text)

  const offered = useSuggestions(focused && !dismissed, recalling, text, cursor)
  // A completion that would change nothing is no help.
  const items = offered.items.filter((item) => item.insert !== text.slice(offered.from, offered.to))
  const popup = focused && !dismissed && items.length > 0
  // What is being typed is wrong until it is whole: it turns red when one pauses, leaves, or goes on beside it.
  const typedAt = problem !== null && cursor >= problem.at && cursor <= problem.at + problem.length
  const told = problem && (!focused || !typedAt || (paused && !popup)) ? problem : null
  const place = () => {
    const field = input.current
    if (!field) return
    setCursor(field.selectionStart ?? field.value.length)
    if (drawn.current) drawn.current.scrollLeft = field.scrollLeft
  }
  // New text may scroll the field without an event. Where a field without text is scrolled to would lay out the page to be known.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only with the text
  useLayoutEffect(() => {
    if (text !== '') place()
    else setCursor(0)
  }, [text])

  const take = ({ insert }: Offered) => {
    if (recalling) {
      setRecalling(false)
      setDismissed(true)
      return onSet(insert)
    }
    const complete = !/[:.]$/.test(insert)
    const before = text.slice(0, offered.from) + insert
    const after = text.slice(offered.to)
    const next = complete && after === '' ? `${before} ` : before
    // At once: what is typed before the next frame must not stand behind the cursor.
    flushSync(() => onType(next + after))
    input.current?.setSelectionRange(next.length, next.length)
    setActive(-1)
    place()
  }
  const keyed = (event: KeyboardEvent<HTMLInputElement>) => {
    if (main && text === '' && !recalling && active < 0 && event.key === 'ArrowUp') {
      event.preventDefault()
      setRecalling(true)
      setDismissed(false)
      return setActive(0)
    }
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
    if (event.key === 'Enter') onEnter?.()
    if (event.key !== 'Escape' || (!popup && !onLeave)) return
    event.stopPropagation()
    if (popup) {
      setRecalling(false)
      setDismissed(true)
    } else onLeave?.()
  }
  return (
    <div className="relative flex-[1_1_240px] min-w-120">
      <div className={cx(BOX, told ? WRONG : RIGHT)}>
        <Search className="flex-none text-fg-3 size-13" aria-hidden="true" />
        <div className="relative flex-1 min-w-0 h-full">
          <FilterText
            ref={drawn}
            text={text}
            problem={told}
            className={`${TYPED} overflow-hidden text-fg pointer-events-none forced-colors:invisible`}
          />
          <input
            ref={input}
            type="text"
            role="combobox"
            data-filter={main ? '' : undefined}
            className={cx(
              TYPED,
              'bg-transparent text-transparent caret-fg outline-none selection:text-transparent',
              'placeholder:text-fg-3 placeholder:font-ui placeholder:opacity-100',
              'forced-colors:text-[CanvasText]',
            )}
            aria-label={label}
            aria-expanded={popup}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={popup && active >= 0 ? `${id}-${active}` : undefined}
            aria-invalid={problem !== null}
            aria-describedby={problem ? `${id}-problem` : undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={placeholder}
            value={text}
            onChange={(event) => {
              setDismissed(false)
              setRecalling(false)
              setActive(-1)
              onType(event.target.value)
            }}
            onFocus={() => {
              setFocused(true)
              setDismissed(text === '')
            }}
            onBlur={() => {
              setFocused(false)
              setRecalling(false)
            }}
            onSelect={place}
            onScroll={place}
            onKeyDown={keyed}
          />
        </div>
        {text === '' ? (
          main ? (
            <Kbd>{hint(main)}</Kbd>
          ) : null
        ) : (
          <button
            type="button"
            className={cx(
              'grid place-items-center flex-none p-0 border-0 rounded-4 bg-transparent text-fg-3 cursor-default',
              'size-20',
              'hover:text-fg hover:bg-hover',
              '[&_svg]:size-14',
            )}
            aria-label={t('filter.clear')}
            title={t('filter.clear')}
            onClick={() => {
              onSet('')
              input.current?.focus()
            }}
          >
            <CircleX aria-hidden="true" />
          </button>
        )}
      </div>
      {popup ? <FilterPopup id={id} items={items} active={active} onTake={take} /> : null}
      {problem && !popup ? (
        <FilterProblem
          id={`${id}-problem`}
          problem={problem}
          onReplace={(by) => {
            onSet(text.slice(0, problem.at) + by + text.slice(problem.at + problem.length))
            input.current?.focus()
          }}
        />
      ) : null}
    </div>
  )
}

interface Piece {
  readonly start: number
  readonly text: string
  readonly style: string | undefined
}

/** The part of a field's token up to and with its colon. */
const nameEnd = (token: Extract<Token, { type: 'field' }>): number => token.start + token.name.length + 1

function styleOf(token: Token): string | undefined {
  if (token.type === 'minus') return 'text-invalid'
  if (token.type === 'open' || token.type === 'close') return 'text-fg-3'
  if (token.type === 'word' && /^(and|or|not)$/i.test(token.text)) return 'text-unreadable'
  return token.type === 'quoted' || token.type === 'regex' ? 'text-valid' : undefined
}

/** The text cut where its colour changes; joined, the pieces are the text again, character by character. */
function pieces(text: string): Piece[] {
  const result = tokenize(text)
  if (!result.ok) return [{ start: 0, text, style: undefined }]
  const cut: Piece[] = []
  let at = 0
  const add = (end: number, style: string | undefined) => {
    if (end > at) cut.push({ start: at, text: text.slice(at, end), style })
    at = Math.max(at, end)
  }
  for (const token of result.tokens) {
    add(token.start, undefined)
    if (token.type === 'field') add(nameEnd(token), 'text-accent-text')
    add(token.end, styleOf(token))
  }
  add(text.length, undefined)
  return cut
}

interface FilterTextProps {
  readonly ref: Ref<HTMLDivElement>
  readonly text: string
  readonly problem: Problem | null
  readonly className: string
}

/** The filter's text in colours, to lie exactly under the field that is typed in. Nothing of it is there for assistive technology. */
function FilterText({ ref, text, problem, className }: FilterTextProps) {
  return (
    <div ref={ref} className={className} aria-hidden="true">
      {pieces(text).map((piece) => (
        <span key={piece.start} className={piece.style}>
          {piece.text}
        </span>
      ))}
      {problem ? (
        <div className="absolute top-0 left-0 text-transparent whitespace-pre">
          {text.slice(0, problem.at)}
          <span className="underline decoration-wavy decoration-invalid decoration-1 underline-offset-3 [text-decoration-skip-ink:none]">
            {text.slice(problem.at, problem.at + Math.max(1, problem.length)) || ' '}
          </span>
        </div>
      ) : null}
    </div>
  )
}
