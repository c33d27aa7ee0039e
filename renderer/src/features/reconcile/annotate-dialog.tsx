import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { TextArea } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'

/** Which documents are to be annotated, and what stands there now. */
export interface Annotating {
  readonly what: 'ignored' | 'note'
  readonly keys: readonly string[]
  readonly present: string | null
  /** Of the one document; for the title. */
  readonly number: string
}
export interface AnnotateDialogProps {
  readonly connection: string
  readonly annotating: Annotating
  readonly onDone: () => void
  readonly onClose: () => void
}

/** A note on a document, or the reason for which it is ignored. */
export function AnnotateDialog({ connection, annotating, onDone, onClose }: AnnotateDialogProps) {
  const { t } = useTranslation(['reconcile', 'common'])
  const { what, keys, present, number } = annotating
  const action = useAction()
  const [text, setText] = useState(present ?? '')
  const put = async (value: string | null) => {
    const done = await action.run(() =>
      api.call('reconciliation.annotate', { connection, keys, [what]: value }),
    )
    if (!done) return
    onDone()
    onClose()
  }
  const ready = text.trim() !== ''
  const ignoring = what === 'ignored'
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        ignoring ? t('annotate.ignoreTitle', { count: keys.length }) : t('annotate.noteTitle', { number })
      }
      description={t(ignoring ? 'annotate.ignoreText' : 'annotate.noteText')}
      onSubmit={() => {
        if (ready) void put(text.trim())
      }}
      footer={
        <>
          {present === null ? null : (
            <Button busy={action.busy} onClick={() => void put(null)}>
              {t(ignoring ? 'annotate.takeBack' : 'annotate.removeNote')}
            </Button>
          )}
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" variant="primary" busy={action.busy} disabled={!ready}>
            {t(ignoring ? 'annotate.ignore' : 'annotate.save')}
          </Button>
        </>
      }
    >
      <div className="grid gap-14">
        <Refused refusal={action.refusal} />
        <TextArea
          label={t(ignoring ? 'annotate.reason' : 'annotate.note')}
          rows={3}
          value={text}
          onChange={setText}
        />
      </div>
    </Dialog>
  )
}
