import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { spanOf } from '#core/filter/spans.ts'
import { Button } from '@/shared/components/button.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { list } from '@/shared/deliveries/list.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { api } from '@/shared/live/api.ts'
import { focusGrid } from '@/shared/live/focus.ts'
import { useCursor, useFollow } from '@/shared/live/pointing.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { useGoing } from './moving.ts'
import { type Stretch, useTimelineWords } from './stretch.ts'

export function GoToTime() {
  const { t } = useTranslation('order')
  const refusalText = useRefusalText()
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const close = () => {
    useGoing.setState({ asked: false })
    focusGrid()
  }
  const go = async () => {
    const instant = readInstant(text, Date.now())
    setSaid('')
    setError(instant === null ? t('go.wrong') : null)
    if (instant === null) return
    try {
      const came = await goTo(instant)
      if (came === 'overtaken') return
      if (came === null) return setSaid(t('go.none'))
      if (came < instant) return setSaid(t('go.before', { at: came * 1_000 }))
      close()
    } catch (failure) {
      setError(refusalText(refusalOf(failure)))
    }
  }
  return (
    <div className="flex items-start gap-8 px-12 py-6 border-b border-line bg-panel text-s">
      <div className="w-460">
        <TextField
          ref={field}
          label={t('go.label')}
          hideLabel
          mono
          placeholder={t('go.hint')}
          value={text}
          error={error}
          onChange={(next) => {
            setText(next)
            setError(null)
          }}
          onEnter={() => void go()}
          onEscape={close}
        />
      </div>
      <Button small kbd="Enter" onClick={() => void go()}>
        {t('go.go')}
      </Button>
      <IconButton small label={t('go.close')} kbd="Esc" icon={<X />} onClick={close} />
      <span role="status" className="pt-6 text-fg-2">
        {said}
      </span>
    </div>
  )
}

const DAY = 86_400_000
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY }
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/
const AGO = /^[-−](\d{1,5}) ?([smhdw])$/
/** Words of both languages, whatever the window's language. */
const WORDS: Readonly<Record<string, string>> = { hoy: 'today', ayer: 'yesterday' }

/** Parses `14:05` (its latest occurrence), `2026-11-01T10:00`, `-2h` or `today`; local without an offset. @returns milliseconds; null: invalid */
export function readInstant(typed: string, now: number): number | null {
  const text = typed.trim().toLowerCase()
  const clock = CLOCK.exec(text)
  if (clock) {
    const date = new Date(now)
    date.setHours(Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0), 0)
    if (date.getTime() > now) date.setDate(date.getDate() - 1)
    return date.getTime()
  }
  const ago = AGO.exec(text)
  if (ago) return atLeast(now - Number(ago[1]) * (UNITS[ago[2] ?? ''] ?? 0))
  const named = WORDS[text] ?? text.replace(/^(\d{4}-\d\d-\d\d) +(?=\d)/, '$1t')
  // Ranges, comparisons and `last-…` are not a single instant.
  if (/[.]{2}|[<>]|last-/.test(named)) return null
  const span = spanOf(named, { now: () => now })
  return span?.from == null ? null : atLeast(Math.ceil(span.from / 1_000))
}

const atLeast = (instant: number): number | null => (instant >= 0 ? instant : null)

/** Scrolls the list to a row. A stopped list extends only if the row arrived after the stop. */
function show(id: number, position: number): void {
  const { stop } = useFollow.getState()
  stop(list.state().total)
  const { head, rebase } = useFollow.getState()
  if (position >= head) rebase(list.state().total)
  useCursor.getState().seek({ id, position })
}

/** Number of jumps so far, to ignore answers that arrive out of order. */
let jumps = 0

/**
 * Moves the cursor to the first delivery at or after an instant, or else to the last one before it.
 * @returns its time in milliseconds; null: the list is empty; `overtaken`: a later jump replaced this one @throws RefusalError
 */
async function goTo(instant: number): Promise<number | null | 'overtaken'> {
  jumps += 1
  const mine = jumps
  const answer = await api
    .call('deliveries.at', { ...list.asked(), instant })
    .catch((refusal: unknown) => (mine === jumps ? Promise.reject(refusal) : null))
  if (mine !== jumps || answer === null) return 'overtaken'
  const { id, position, receivedAt } = answer
  if (id === null || receivedAt === null) return null
  show(id, position)
  return receivedAt / 1_000
}

/** Whether a jump ended outside its time range: the list may not contain all that the bars count. */
export function besides(came: number | null, { from, to }: Stretch): 'none' | 'before' | 'after' | null {
  if (came === null) return 'none'
  return came < from ? 'before' : came >= to ? 'after' : null
}

/** Scrolls the list to a time range without filtering. `said`: that it has no delivery, or why the jump failed. */
export function useGoTo(): { readonly said: string | null; readonly go: (stretch: Stretch) => void } {
  const { t } = useTimelineWords()
  const refusalText = useRefusalText()
  const [said, setSaid] = useState<string | null>(null)
  const go = async (stretch: Stretch) => {
    setSaid(null)
    try {
      const came = await goTo(stretch.from)
      if (came === 'overtaken') return
      const led = besides(came, stretch)
      if (led) setSaid(t(`goTo.${led}`, { at: (came ?? 0) * 1_000 }))
      focusGrid(true)
    } catch (error) {
      setSaid(refusalText(refusalOf(error)))
    }
  }
  return { said, go: (stretch) => void go(stretch) }
}
