import { Undo2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Keys } from '@/shared/actions/action.ts'
import { cx } from '@/shared/components/cx.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { type Undoable, useUndo } from '@/shared/live/undo.ts'
import { ActionKeys } from './action-keys.tsx'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { NOTICE, useHeld } from './notices.ts'
import { Spinner } from './spinner.tsx'

const OFFERED_MS = 10_000
/** That it was taken back is seen where it was; the word of it may go soon. */
const UNDONE_MS = 2_500

/** Removals that can be taken back, in a corner: never in the way, never taking the focus, read out when there is time. */
export function UndoNotices({ keys }: { readonly keys: Keys }) {
  const { t } = useTranslation('undo')
  const refusalText = useRefusalText()
  const offers = useUndo((s) => s.offers)
  const [said, setSaid] = useState('')
  const latest = offers.at(-1)
  // A region is read out when it changes, not when it comes: the words follow it.
  useEffect(() => {
    if (!latest) setSaid('')
    else if (latest.state === 'offered')
      setSaid(t('say', { text: latest.text, keys: keys[0]?.join('+') ?? '' }))
    else if (latest.state === 'undone') setSaid(t('undone'))
    else if (latest.refusal) setSaid(t('failed', { reason: refusalText(latest.refusal) }))
  }, [latest, keys, t, refusalText])
  return (
    <section
      aria-label={t('undo')}
      className={cx(
        'fixed z-[calc(var(--layer-overlay)_+_1)] bottom-[calc(var(--status)_+_var(--foot,0px)_+_14px)]',
        'left-[calc(var(--rail)_+_14px)] grid gap-8 justify-items-start pointer-events-none',
      )}
    >
      <span role="status" className="visually-hidden">
        {said}
      </span>
      {offers.map((offer) => (
        <Notice
          key={offer.key}
          offer={offer}
          keys={offer === offers.findLast((one) => one.state === 'offered') ? keys : []}
        />
      ))}
    </section>
  )
}

interface NoticeProps {
  readonly offer: Undoable
  /** Keys that mean this one. */
  readonly keys: Keys
}

function Notice({ offer, keys }: NoticeProps) {
  const { t } = useTranslation(['undo', 'common'])
  const refusalText = useRefusalText()
  const { undo, dismiss } = useUndo.getState()
  const { held, holding } = useHeld()
  const { key, state, refusal, text } = offer
  const going = (state === 'offered' && !held) || state === 'undone'
  useEffect(() => {
    if (!going) return
    const timer = setTimeout(() => dismiss(key), state === 'undone' ? UNDONE_MS : OFFERED_MS)
    return () => clearTimeout(timer)
  }, [going, state, key, dismiss])
  return (
    <div {...holding} className={`${NOTICE} [--wide:560px] gap-8 pointer-events-auto`}>
      <span className="grid flex-1 gap-2 min-w-0 pr-6 wrap-anywhere">
        {state === 'undone' ? t('undone') : text}
        {refusal ? (
          <span className="text-invalid">{t('failed', { reason: refusalText(refusal) })}</span>
        ) : null}
      </span>
      {state === 'offered' ? (
        <Button small icon={<Undo2 />} onClick={() => void undo(key)}>
          {t('undo')}
          {keys.length > 0 ? (
            <span aria-hidden="true" className="inline-flex gap-2 ml-4">
              <ActionKeys keys={keys} />
            </span>
          ) : null}
        </Button>
      ) : null}
      {state === 'undoing' ? <Spinner label={t('undo')} /> : null}
      <IconButton small label={t('common:close')} icon={<X />} onClick={() => dismiss(key)} />
    </div>
  )
}
