import { X } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import type { BodyView, Place } from './protocol.ts'

export interface GoToBarProps {
  readonly view: BodyView
  readonly onGo: (place: Place) => void
  readonly onClose: () => void
}

/** Asks for a place in the body: a line of the view, a line and column of the text, a pointer, or in hex an offset. */
export function GoToBar({ view, onGo, onClose }: GoToBarProps) {
  const { t } = useTranslation('detail')
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const go = () => {
    const place = readPlace(text, view)
    setWrong(place === null)
    if (place) onGo(place)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 items-start pr-8 pb-6 pl-14">
      <TextField
        ref={field}
        label={t('goTo.label')}
        hideLabel
        mono
        placeholder={t(view === 'hex' ? 'goTo.hintHex' : 'goTo.hint')}
        value={text}
        error={wrong ? t(view === 'hex' ? 'goTo.wrongHex' : 'goTo.wrong') : null}
        onChange={(next) => {
          setText(next)
          setWrong(false)
        }}
        onEnter={go}
        onEscape={onClose}
      />
      <IconButton label={t('goTo.close')} kbd="Esc" icon={<X />} onClick={onClose} />
    </div>
  )
}

/** `120`: a line of the view (in hex an offset, `0x1f` too); `3:14`: line and column as received; `/data/Lines/0`: a pointer; else null. */
export function readPlace(typed: string, view: BodyView): Place | null {
  const text = typed.trim()
  if (text.startsWith('/')) return { pointer: text }
  const place = /^(\d{1,9})\s*[:,]\s*(\d{1,9})$/.exec(text)
  if (place) return { line: Math.max(1, Number(place[1])), column: Math.max(1, Number(place[2])) }
  if (view === 'hex' && /^0x[0-9a-f]{1,8}$/i.test(text)) return { offset: Number(text) }
  if (!/^\d{1,10}$/.test(text)) return null
  return view === 'hex' ? { offset: Number(text) } : { number: Math.max(1, Number(text)) }
}
