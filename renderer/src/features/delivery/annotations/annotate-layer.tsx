import { useTranslation } from 'react-i18next'
import { Dialog } from '@/shared/components/dialog.tsx'
import { list } from '@/shared/deliveries/list.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useAnnotating } from '@/shared/live/annotating.ts'
import { NoteEditor } from './note-editor.tsx'
import { TagSheet } from './tag-sheet.tsx'
import { useKeptNote } from './use-kept-note.ts'

/** Note or tags of one delivery or of several, over the list. */
export function AnnotateLayer() {
  const { t } = useTranslation('detail')
  const format = useFormat()
  const asked = useAnnotating((s) => s.asked)
  const close = useAnnotating((s) => s.close)
  const kept = useKeptNote(asked)
  if (!asked) return null
  const [only] = asked.ids
  const count = asked.everything?.total ?? asked.ids.length
  const one = !asked.everything && asked.ids.length === 1
  const position = one && only !== undefined ? list.find(only) : undefined
  const row = position === undefined ? undefined : list.row(position)
  const of = one
    ? `#${only} ${row?.event ?? ''}`.trim()
    : t('annotations.of', { count, formatted: format.number(count) })
  return (
    <Dialog
      open
      width={460}
      title={t(asked.what === 'note' ? 'annotations.noteOf' : 'annotations.tagsOf', { of })}
      onClose={close}
    >
      {asked.what === 'tags' ? (
        <TagSheet about={asked} />
      ) : kept === null ? null : (
        <NoteEditor
          about={asked}
          kept={kept}
          rows={6}
          {...(one ? {} : { hint: t('annotations.noteHintAll', { count, formatted: format.number(count) }) })}
          onDone={close}
        />
      )}
    </Dialog>
  )
}
