import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { FormDialog } from '@/shared/components/form-dialog.tsx'
import { TextArea } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'

export interface Annotating {
  readonly what: 'ignored' | 'note'
  readonly keys: readonly string[]
  readonly present: string | null
  readonly number: string
}
export interface AnnotateDialogProps {
  readonly connection: string
  readonly annotating: Annotating
  readonly onDone: () => void
  readonly onClose: () => void
}

export function AnnotateDialog({ connection, annotating, onDone, onClose }: AnnotateDialogProps) {
  const { t } = useTranslation('reconcile')
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
  const ignoring = what === 'ignored'
  return (
    <FormDialog
      title={
        ignoring ? t('annotate.ignoreTitle', { count: keys.length }) : t('annotate.noteTitle', { number })
      }
      description={t(ignoring ? 'annotate.ignoreText' : 'annotate.noteText')}
      action={t(ignoring ? 'annotate.ignore' : 'annotate.save')}
      busy={action.busy}
      refusal={action.refusal}
      disabled={text.trim() === ''}
      onSubmit={() => void put(text.trim() || null)}
      onClose={onClose}
    >
      <TextArea
        label={t(ignoring ? 'annotate.reason' : 'annotate.note')}
        rows={3}
        value={text}
        onChange={setText}
      />
      {present === null ? null : (
        <div>
          <Button busy={action.busy} onClick={() => void put(null)}>
            {t(ignoring ? 'annotate.takeBack' : 'annotate.removeNote')}
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
