import { useTranslation } from 'react-i18next'
import { Dialog } from '@/shared/components/dialog.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { list } from '@/shared/deliveries/list.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { type Annotated, useAnnotating } from '@/shared/live/layers.ts'
import { annotate, NoteEditor, TagChips, TagInput } from './editors.tsx'

/** Above this number the count comes from the host's total for the filter. */
const MOST_ASKED = 500

async function tagsOf({ ids, everything }: Annotated): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  if (everything) {
    const answer = await api.call('filter.counts', { field: 'tag', filter: everything.filter })
    for (const { value, count } of answer.counts) counts.set(value, count)
    return counts
  }
  for (const id of ids.slice(0, MOST_ASKED))
    for (const tag of (await api.call('deliveries.get', { id })).tags)
      counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return counts
}

function TagSheet({ about }: { readonly about: Annotated }) {
  const { t } = useTranslation('detail')
  const refusalText = useRefusalText()
  const { refusal: refused, run } = useAction()
  const total = about.everything?.total ?? about.ids.length
  const { data: tags, refusal, renew } = useAnswer('tags', () => tagsOf(about), about)
  const change = async (what: { addTags?: string[]; removeTags?: string[] }) => {
    if (await run(() => annotate(about, what))) renew()
  }
  const said = refused ?? refusal
  const chips = [...(tags ?? [])].map(([tag, n]) =>
    n < total ? { tag, part: t('annotations.part', { n, of: total }) } : { tag },
  )
  return (
    <div className="grid gap-12">
      <TagInput refused={said && refusalText(said)} onAdd={(tag) => change({ addTags: [tag] })} />
      <div className="flex flex-wrap gap-6 min-h-20" role="status">
        {tags?.size === 0 ? <p className="text-fg-3 text-s">{t('annotations.noTags')}</p> : null}
        <TagChips
          chips={chips}
          onAll={(tag) => change({ addTags: [tag] })}
          onRemove={(tag) => change({ removeTags: [tag] })}
        />
      </div>
    </div>
  )
}

/** The note of a single selected delivery; empty for several, null while loading. */
function useKeptNote(about: Annotated | null): string | null {
  const only = about && !about.everything && about.ids.length === 1 ? about.ids[0] : undefined
  const { data, refusal } = useAnswer(only === undefined ? null : String(only), () =>
    api.call('deliveries.get', { id: only ?? 0 }),
  )
  if (only === undefined || refusal) return ''
  return data && (data.noteText?.text ?? '')
}

export function AnnotateLayer() {
  const { t } = useTranslation('detail')
  const asked = useAnnotating((s) => s.asked)
  const close = useAnnotating((s) => s.close)
  const kept = useKeptNote(asked)
  if (!asked) return null
  const [only] = asked.ids
  const count = asked.everything?.total ?? asked.ids.length
  const one = !asked.everything && asked.ids.length === 1
  const position = one && only !== undefined ? list.find(only) : undefined
  const row = position === undefined ? undefined : list.row(position)
  const of = one ? `#${only} ${row?.event ?? ''}`.trim() : t('annotations.of', { count })
  return (
    <Dialog
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
          {...(one ? {} : { hint: t('annotations.noteHintAll', { count }) })}
          onDone={close}
        />
      )}
    </Dialog>
  )
}
