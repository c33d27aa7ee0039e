import { Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Keys } from '@/shared/actions/action.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { type Undoable, useUndo } from '@/shared/live/undo.ts'
import { ActionKeys } from './action-keys.tsx'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { Spinner } from './spinner.tsx'

const OFFERED_MS = 10_000
/** Display time after an undo; short, because the restored item is visible. */
const UNDONE_MS = 2_500

/** Removals that the user can undo, announced politely. */
export function UndoNotices({ keys }: { readonly keys: Keys }) {
  const { t } = useTranslation('undo')
  const refusalText = useRefusalText()
  const offers = useUndo((s) => s.offers)
  const [said, setSaid] = useState('')
  const latest = offers.at(-1)
  // Screen readers announce changes of a live region, not its insertion: the text follows in a second step.
  useEffect(() => {
    if (!latest) setSaid('')
    else if (latest.state === 'offered')
      setSaid(t('say', { text: latest.text, keys: keys[0]?.join('+') ?? '' }))
    else if (latest.state === 'undone') setSaid(t('undone'))
    else if (latest.refusal) setSaid(t('failed', { reason: refusalText(latest.refusal) }))
  }, [latest, keys, t, refusalText])
  return (
    <>
      <span role="status" className="visually-hidden">
        {said}
      </span>
      {offers.map((offer) => (
        <Offer
          key={offer.key}
          offer={offer}
          keys={offer === offers.findLast((one) => one.state === 'offered') ? keys : []}
        />
      ))}
    </>
  )
}

interface OfferProps {
  readonly offer: Undoable
  /** Keys that undo this removal. */
  readonly keys: Keys
}

const GOES = { offered: OFFERED_MS, undoing: undefined, undone: UNDONE_MS, failed: undefined } as const
const TONES = { offered: 'info', undoing: 'info', undone: 'done', failed: 'error' } as const

function Offer({ offer, keys }: OfferProps) {
  const { t } = useTranslation('undo')
  const refusalText = useRefusalText()
  const { undo, dismiss } = useUndo.getState()
  const { key, state, refusal, text } = offer
  return (
    <Notice
      tone={TONES[state]}
      goesAfter={GOES[state]}
      onDismiss={() => dismiss(key)}
      actions={
        state === 'offered' ? (
          <Button small icon={<Undo2 />} onClick={() => void undo(key)}>
            {t('undo')}
            {keys.length > 0 ? (
              <span aria-hidden="true" className="inline-flex gap-2 ml-4">
                <ActionKeys keys={keys} />
              </span>
            ) : null}
          </Button>
        ) : null
      }
    >
      {state === 'undoing' ? <Spinner label={t('undo')} /> : null}
      {state === 'undone' ? t('undone') : text}{' '}
      {refusal ? t('failed', { reason: refusalText(refusal) }) : null}
    </Notice>
  )
}
