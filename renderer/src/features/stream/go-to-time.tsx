import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { spanOf } from '#core/filter/spans.ts'
import { Button } from '@/shared/components/button.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { focusGrid } from '@/shared/live/focus.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { goTo } from './go-to.ts'
import { useGoing } from './moving.ts'

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
