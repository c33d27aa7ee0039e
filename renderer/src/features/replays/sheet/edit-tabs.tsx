import { AlignLeft, Eye, EyeOff, Plus, Undo2, X } from 'lucide-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { bodyText, givenBody } from '@/shared/body/open-body.ts'
import { BodyNotes, checkBody } from '@/shared/components/body-notes.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { JsonEditor, type JsonEditorHandle } from '@/shared/components/json-editor.tsx'
import { ScrollRegion } from '@/shared/components/scroll-region.tsx'
import { TabPanel, Tabs } from '@/shared/components/tabs.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import {
  base64Of,
  bodyDraftOf,
  changedParts,
  EDITED_MOST,
  type EditDraft,
  type EditError,
  type HeaderDraft,
  type Part,
} from '@/shared/targets/edit-draft.ts'
import styles from './sheet.module.css'

const PARTS = ['body', 'headers', 'line'] as const satisfies readonly Part[]

export interface EditTabsProps {
  readonly editing: Editing
  readonly errors: ReadonlySet<EditError>
  readonly onChange: (part: Partial<EditDraft>) => void
}

/** The copy that will be sent, part by part; what differs from the delivery says so and can be put back. */
export function EditTabs({ editing, errors, onChange }: EditTabsProps) {
  const { t } = useTranslation('replays')
  const { draft, original } = editing
  const [part, setPart] = useState<Part>('body')
  const changed = changedParts(draft, original)
  const reset = () => {
    if (part === 'body') onChange({ body: original.body })
    else if (part === 'headers') onChange({ headers: original.headers })
    else onChange({ method: original.method, url: original.url })
  }
  return (
    <div className="w-full">
      <Tabs<Part>
        label={t('edit.parts')}
        value={part}
        onChange={setPart}
        className={styles.tabs}
        items={PARTS.map((value) => ({
          value,
          label: changed.has(value)
            ? t('edit.changedPart', { part: t(`edit.part.${value}`) })
            : t(`edit.part.${value}`),
        }))}
      >
        <TabPanel value="body">
          <BodyPart draft={draft} size={editing.detail.size} onChange={onChange} />
        </TabPanel>
        <TabPanel value="headers">
          <HeadersPart
            headers={draft.headers}
            errors={errors}
            onChange={(headers) => onChange({ headers })}
          />
        </TabPanel>
        <TabPanel value="line">
          <LinePart draft={draft} errors={errors} onChange={onChange} />
        </TabPanel>
      </Tabs>
      <p className="flex items-center justify-between gap-12 min-h-26 mt-4 text-fg-3 text-s">
        <span>{changed.size > 0 ? t('edit.kept') : t('edit.unchanged')}</span>
        {changed.has(part) ? (
          <Button small variant="quiet" icon={<Undo2 />} onClick={reset}>
            {t('edit.reset')}
          </Button>
        ) : null}
      </p>
    </div>
  )
}

function BodyPart(props: {
  readonly draft: EditDraft
  readonly size: number
  readonly onChange: (part: Partial<EditDraft>) => void
}) {
  const { draft, size, onChange } = props
  const { t } = useTranslation('replays')
  const { body } = draft
  const editor = useRef<JsonEditorHandle>(null)
  // A check of a megabyte takes longer than the pause between two letters.
  const text = useDeferredValue(body.editable ? body.text : '')
  const check = useMemo(() => checkBody(text), [text])
  if (!body.editable)
    return (
      <p className="grid place-content-center justify-items-center gap-10 h-full p-24 text-fg-2 text-s leading-[1.5] text-center">
        {t(`edit.not.${body.why}`)}
      </p>
    )
  if (size === 0 && body.text === '') {
    return (
      <div className="grid place-content-center justify-items-center gap-10 h-full p-24 text-fg-2 text-s leading-[1.5] text-center">
        <p>{t('edit.emptyBody')}</p>
        <Button small onClick={() => onChange({ body: { ...body, text: '{\n  \n}' } })}>
          {t('edit.writeBody')}
        </Button>
      </div>
    )
  }
  const layOut = async () => {
    const laid = await bodyText(givenBody('edited', base64Of(body.text))).catch(() => null)
    if (laid?.nature === 'json' && !laid.cut) onChange({ body: { ...body, text: laid.text } })
  }
  return (
    <div className="grid grid-rows-[minmax(0,1fr)_auto] grid-cols-1 h-full">
      <JsonEditor
        ref={editor}
        label={t('edit.bodyLabel')}
        value={body.text}
        onChange={(next) => onChange({ body: { ...body, text: next } })}
        wrongLine={check.json ? null : check.place.line}
      />
      <div className="flex items-start justify-between gap-10 px-14 py-8 border-t border-line">
        <BodyNotes check={check} onPlace={(line, column) => editor.current?.goTo(line, column)} />
        {check.json && !body.text.includes('\n') ? (
          <Button small variant="quiet" icon={<AlignLeft />} onClick={() => void layOut()}>
            {t('edit.layOut')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}

let lastKey = 1_000_000

function HeadersPart(props: {
  readonly headers: readonly HeaderDraft[]
  readonly errors: ReadonlySet<EditError>
  readonly onChange: (headers: readonly HeaderDraft[]) => void
}) {
  const { headers, errors, onChange } = props
  const { t } = useTranslation('replays')
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set())
  const set = (key: number, part: Partial<HeaderDraft>) =>
    onChange(headers.map((header) => (header.key === key ? { ...header, ...part } : header)))
  return (
    <ScrollRegion
      className="grid content-start gap-6 h-full px-14 py-10 overflow-y-auto focus-visible:-outline-offset-2"
      label={t('edit.part.headers')}
    >
      <p className={cx(styles.hint, 'text-fg-3 text-xs leading-[1.45]')}>{t('edit.headersHint')}</p>
      {headers.map((header, index) => {
        const covered = header.secret && !seen.has(header.key)
        return (
          <div
            key={header.key}
            className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-6 items-start"
          >
            <TextField
              label={t('edit.headerName', { number: index + 1 })}
              hideLabel
              mono
              value={header.name}
              onChange={(name) => set(header.key, { name })}
              error={errors.has(`name-${index}`) ? t('edit.errors.name') : null}
            />
            <TextField
              label={t('edit.headerValue', { number: index + 1 })}
              hideLabel
              mono
              type={covered ? 'password' : 'text'}
              value={header.value}
              onChange={(value) => set(header.key, { value })}
              error={errors.has(`value-${index}`) ? t('edit.errors.value') : null}
              trailing={
                header.secret ? (
                  <IconButton
                    small
                    label={t(covered ? 'edit.showValue' : 'edit.hideValue', { name: header.name })}
                    icon={covered ? <Eye /> : <EyeOff />}
                    onClick={() => {
                      const next = new Set(seen)
                      if (covered) next.add(header.key)
                      else next.delete(header.key)
                      setSeen(next)
                    }}
                  />
                ) : undefined
              }
            />
            <IconButton
              label={t('edit.headerRemove', { number: index + 1, name: header.name })}
              icon={<X />}
              onClick={() => onChange(headers.filter(({ key }) => key !== header.key))}
            />
          </div>
        )
      })}
      <div>
        <Button
          small
          variant="quiet"
          icon={<Plus />}
          onClick={() => onChange([...headers, { key: ++lastKey, name: '', value: '', secret: false }])}
        >
          {t('edit.headerAdd')}
        </Button>
      </div>
    </ScrollRegion>
  )
}

function LinePart({
  draft,
  errors,
  onChange,
}: Pick<EditTabsProps, 'errors' | 'onChange'> & { readonly draft: EditDraft }) {
  const { t } = useTranslation('replays')
  return (
    <div className="flex flex-wrap gap-x-12 gap-y-10 w-full p-14">
      <TextField
        label={t('edit.method')}
        mono
        maxLength={40}
        className={styles.method}
        value={draft.method}
        onChange={(method) => onChange({ method })}
        error={errors.has('method') ? t('edit.errors.method') : null}
      />
      <TextField
        label={t('edit.url')}
        mono
        className={styles.wide}
        value={draft.url}
        onChange={(url) => onChange({ url })}
        error={errors.has('url') ? t('edit.errors.url') : null}
        hint={t('edit.urlHint')}
      />
    </div>
  )
}

export interface Editing {
  readonly detail: DeliveryDetail
  readonly original: EditDraft
  readonly draft: EditDraft
}

function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64)
  return Uint8Array.from(binary, (c) => c.charCodeAt(0))
}

/** Secrets are read too: a list of headers is sent as a whole, and a description in place of a value would go out as one. */
async function begin(id: number): Promise<Editing> {
  const [detail, revealed] = await Promise.all([
    api.call('deliveries.get', { id }),
    api.call('deliveries.get', { id, reveal: true }),
  ])
  const bytes =
    detail.size > EDITED_MOST
      ? undefined
      : bytesOf(
          (await api.call('deliveries.body', { id, view: 'raw', from: 0, length: EDITED_MOST })).bytesBase64,
        )
  const original: EditDraft = {
    method: detail.method,
    url: revealed.url,
    headers: revealed.headers.map(({ name, value }, key) => ({
      key,
      name,
      value,
      secret: detail.headers[key]?.masked ?? false,
    })),
    body: bodyDraftOf(bytes, detail.codings),
  }
  return { detail, original, draft: original }
}

/** A delivery with the copy of it that is being edited; null while it is read. */
export function useEdit(id: number | null) {
  const { data: begun, refusal } = useAnswer(id === null ? null : String(id), () => begin(id ?? 0))
  const [edited, setEdited] = useState<Editing | null>(null)
  const editing = edited && edited.detail === begun?.detail ? edited : begun
  return {
    editing,
    refusal,
    change: (part: Partial<EditDraft>) =>
      setEdited(editing && { ...editing, draft: { ...editing.draft, ...part } }),
  }
}
