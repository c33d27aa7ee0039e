import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnnotateParams } from '#contract/annotations.ts'
import { isTag, NOTE_LENGTH, TAG_LENGTH, tagOf } from '#contract/tags.ts'
import { MOD } from '@/shared/actions/action.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { TextArea, TextField } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { type Annotated, draftKey, earlyText, useAnnotating } from '@/shared/live/layers.ts'

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
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the field appears
  useEffect(() => {
    const typed = earlyText()
    if (typed !== '') keep(key, (draft ?? kept) + typed)
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

const BUTTON =
  'inline-grid place-items-center min-w-18 h-18 p-0 border-0 rounded-9 bg-transparent text-fg-3 hover:bg-hover hover:text-fg'

interface Chip {
  readonly tag: string
  /** How many of the selected deliveries have the tag, when not all do. */
  readonly part?: string
}

interface TagChipsProps {
  readonly chips: readonly Chip[]
  readonly onRemove: (tag: string) => void
  /** Adds a tag to all selected deliveries when only some have it. */
  readonly onAll?: (tag: string) => void
}

export function TagChips({ chips, onRemove, onAll }: TagChipsProps) {
  const { t } = useTranslation('detail')
  return chips.map(({ tag, part }) => (
    <span
      key={tag}
      className={cx(
        'inline-flex items-center gap-2 max-w-full h-20 pr-1 pl-7 border border-line-strong rounded-10',
        'bg-sunken text-fg line-s wrap-anywhere',
        '[&_svg]:size-11',
      )}
    >
      {tag}
      {part === undefined ? null : <span className="ps-4 text-fg-3 tabular-nums">{part}</span>}
      {part === undefined || !onAll ? null : (
        <button
          type="button"
          className={BUTTON}
          aria-label={t('annotations.tagAll', { tag })}
          title={t('annotations.tagAll', { tag })}
          onClick={() => onAll(tag)}
        >
          <Plus aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className={BUTTON}
        aria-label={t('annotations.removeTag', { tag })}
        title={t('annotations.removeTag', { tag })}
        onClick={() => onRemove(tag)}
      >
        <X aria-hidden="true" />
      </button>
    </span>
  ))
}

interface TagInputProps {
  readonly onAdd: (tag: string) => void
  readonly onLeave?: () => void
  readonly refused?: string | null
  readonly begin?: boolean
}

/** Input for single tags; Enter, a space or a comma ends each. Suggests existing tags. */
export function TagInput({ onAdd, onLeave, refused = null, begin = false }: TagInputProps) {
  const { t } = useTranslation('detail')
  const [typed, setTyped] = useState('')
  useEffect(() => setTyped(earlyText()), [])
  const [wrong, setWrong] = useState<string | null>(null)
  // Without suggestions the user can still type a tag.
  const { data: known } = useAnswer('tags', () => api.call('tags.list', {}))
  const list = useId()
  const add = () => {
    const tag = tagOf(typed)
    if (tag === '') return
    if (!isTag(tag)) return setWrong(t('annotations.notATag', { most: TAG_LENGTH }))
    setTyped('')
    setWrong(null)
    onAdd(tag)
  }
  return (
    <>
      <TextField
        label={t('annotations.addTag')}
        hideLabel
        placeholder={t('annotations.addTag')}
        list={list}
        autoFocus={begin}
        value={typed}
        error={wrong ?? refused}
        onChange={(text) => {
          setTyped(text)
          setWrong(null)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === ',' || event.key === ' ') {
            if (event.key !== 'Enter' || tagOf(typed) !== '') event.preventDefault()
            add()
          } else if (event.key === 'Escape' && onLeave) {
            event.stopPropagation()
            event.preventDefault()
            onLeave()
          }
        }}
      />
      <datalist id={list}>
        {known?.tags.map(({ tag }) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </>
  )
}
