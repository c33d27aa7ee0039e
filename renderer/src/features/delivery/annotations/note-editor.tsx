import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnnotateParams } from '#contract/annotations.ts'
import { NOTE_LENGTH } from '#contract/tags.ts'
import { MOD } from '@/shared/actions/action.ts'
import { Button } from '@/shared/components/button.tsx'
import { TextArea } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { type Annotated, draftKey, useAnnotating } from '@/shared/live/layers.ts'

export interface NoteEditorProps {
  readonly about: Annotated
  readonly kept: string
  readonly rows?: number
  readonly hint?: string
  readonly onDone: () => void
}

/** Edits a note. Ctrl+Enter saves it, Esc keeps it as a draft for the next time. */
export function NoteEditor({ about, kept, rows = 3, hint, onDone }: NoteEditorProps) {
  const { t } = useTranslation(['detail', 'common'])
  const key = draftKey(about)
  const draft = useAnnotating((s) => s.drafts[key])
  const keep = useAnnotating((s) => s.draft)
  const { busy, refused, run } = useAction()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const field = box.current?.querySelector('textarea')
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [])
  const text = draft ?? kept
  const over = text.length > NOTE_LENGTH
  const save = async () => {
    if (over || busy) return
    if (!(await run(() => annotate(about, { note: text.trim() === '' ? null : text })))) return
    keep(key, null)
    onDone()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the field inside
    <div ref={box} role="presentation" className="grid gap-6 mt-6 mr-6 mb-4" onKeyDown={onKeyDown}>
      <TextArea
        label={t('annotations.note')}
        hideLabel
        rows={rows}
        placeholder={t('annotations.notePlaceholder')}
        value={text}
        onChange={(typed) => keep(key, typed === kept ? null : typed)}
        hint={hint ?? t('annotations.noteHint')}
        error={over ? t('annotations.noteTooLong', { length: text.length, most: NOTE_LENGTH }) : refused}
      />
      <div className="flex gap-6">
        <Button small variant="primary" busy={busy} kbd={`${MOD} ⏎`} onClick={() => void save()}>
          {t('annotations.saveNote')}
        </Button>
        <Button
          small
          variant="quiet"
          onClick={() => {
            keep(key, null)
            onDone()
          }}
        >
          {t('annotations.discard')}
        </Button>
      </div>
    </div>
  )
}

const PAGE = 1_000

/** Ids in batches of the command's limit: the given ones, or all that match a filter now. */
async function* idsOf({ ids, everything }: Annotated): AsyncGenerator<readonly number[]> {
  if (!everything) {
    for (let at = 0; at < ids.length; at += PAGE) yield ids.slice(at, at + PAGE)
    return
  }
  const { filter } = everything
  let after: number | null = null
  for (;;) {
    const { rows } = await scan(filter, after)
    // Later arrivals are newer than all remaining rows.
    if (rows.length > 0) yield rows.map(({ id }) => id)
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? null
  }
}

const scan = (filter: string, after: number | null) =>
  api.call('deliveries.scan', { filter, after, limit: PAGE, newest: true })

/** Changes notes and tags of all selected deliveries. @returns how many changed @throws RefusalError */
export async function annotate(about: Annotated, change: Omit<AnnotateParams, 'ids'>): Promise<number> {
  let sum = 0
  for await (const ids of idsOf(about))
    sum += (await api.call('deliveries.annotate', { ids, ...change })).changed
  return sum
}
