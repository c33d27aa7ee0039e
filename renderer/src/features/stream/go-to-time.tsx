import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { focusGrid } from '@/shared/live/focus.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { goTo } from './go-to.ts'
import { useGoing } from './moving.ts'
import { readInstant } from './read-instant.ts'

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
