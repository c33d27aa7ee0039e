import { Pencil, Plus, StickyNote } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { annotate } from '@/features/delivery/annotations/annotate.ts'
import { NoteEditor } from '@/features/delivery/annotations/note-editor.tsx'
import { TagChips, TagInput } from '@/features/delivery/annotations/tags.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { draftKey, useAnnotating } from '@/shared/live/layers.ts'

const TEXT = 'max-h-96 overflow-auto body-s leading-[1.45] whitespace-pre-wrap wrap-anywhere'

export function Annotations({ detail }: { readonly detail: DeliveryDetail }) {
  const { t } = useTranslation('detail')
  const about = { ids: [detail.id], everything: null }
  const [adding, setAdding] = useState(false)
  const [writing, setWriting] = useState(false)
  const { refused, run } = useAction()
  const draft = useAnnotating((s) => s.drafts[draftKey(about)])
  const noted = detail.noteText !== null || draft !== undefined
  const change = (what: { addTags?: string[]; removeTags?: string[] }) => run(() => annotate(about, what))
  return (
    <>
      <div className="flex flex-wrap items-center gap-4 mt-5">
        <span data-tags className="contents">
          <TagChips
            chips={detail.tags.map((tag) => ({ tag }))}
            onRemove={(tag) => change({ removeTags: [tag] })}
          />
        </span>
        {adding ? (
          <div className="w-170">
            <TagInput
              begin
              refused={refused}
              onAdd={(tag) => change({ addTags: [tag] })}
              onLeave={() => setAdding(false)}
            />
          </div>
        ) : (
          <Button data-writes small variant="quiet" icon={<Plus />} onClick={() => setAdding(true)}>
            {t('annotations.tag')}
          </Button>
        )}
        {noted || writing ? null : (
          <Button data-writes small variant="quiet" icon={<StickyNote />} onClick={() => setWriting(true)}>
            {t('annotations.note')}
          </Button>
        )}
      </div>
      {writing ? (
        <NoteEditor about={about} kept={detail.noteText?.text ?? ''} onDone={() => setWriting(false)} />
      ) : noted ? (
        <Note detail={detail} draft={draft} onWrite={() => setWriting(true)} />
      ) : null}
    </>
  )
}

function Note(props: {
  readonly detail: DeliveryDetail
  readonly draft: string | undefined
  readonly onWrite: () => void
}) {
  const { detail, draft, onWrite } = props
  const { t } = useTranslation('detail')
  const format = useFormat()
  return (
    <div
      className={cx(
        'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-8 gap-y-2 mt-6 mr-6 mb-2 pt-5 pr-4 pb-5',
        'pl-9 border-s-2 border-accent rounded-r-[6px] bg-sunken',
      )}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long note scrolls, by keyboard too */}
      <p className={TEXT} tabIndex={0}>
        {draft ?? detail.noteText?.text}
      </p>
      <IconButton data-writes small label={t('annotations.editNote')} icon={<Pencil />} onClick={onWrite} />
      <span className="col-span-full text-fg-3 text-xs">
        {draft === undefined ? (
          detail.noteText &&
          [detail.noteText.author, format.instant(detail.noteText.at * 1_000)].filter(Boolean).join(' · ')
        ) : (
          <span className="text-warning">{t('annotations.unsaved')}</span>
        )}
      </span>
    </div>
  )
}
