import { AlignLeft, Undo2 } from 'lucide-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { base64Of } from '#core/copy/copy.ts'
import { bodyText, givenBody } from '@/shared/body/open-body.ts'
import { BodyNotes, checkBody } from '@/shared/components/body-notes.tsx'
import { Button } from '@/shared/components/button.tsx'
import { JsonEditor, type JsonEditorHandle } from '@/shared/components/json-editor.tsx'
import { ScrollRegion } from '@/shared/components/scroll-region.tsx'
import { TabPanel, Tabs } from '@/shared/components/tabs.tsx'
import { useForm } from '@/shared/forms/use-form.tsx'
import { HeaderTable } from '@/shared/headers/header-table.tsx'
import type { SheetSource } from '@/shared/live/layers.ts'
import { changedParts, type EditDraft, editForm, PARTS, type Part } from './edit-form.ts'

export function useOneForm(
  { delivery, times }: Pick<SheetSource, 'delivery' | 'times'>,
  original: EditDraft,
  send: (draft: EditDraft) => Promise<void>,
) {
  return useForm({
    form: () => editForm(delivery ?? 0, original, times ?? 1),
    texts: ['replays', 'edit'],
    look: () => ({
      method: { className: 'flex-[0_1_140px]' },
      url: { className: 'flex-[1_1_300px]' },
      times: { className: '[&>label+*]:max-w-96', min: 1, max: 100 },
    }),
    follow: true,
    atOnce: true,
    send: (_, draft) => send(draft),
  })
}
export type OneForm = ReturnType<typeof useOneForm>

/** Editor of the request to send. Changed parts are marked and can be reset. */
export function EditTabs({ form, original }: { readonly form: OneForm; readonly original: EditDraft }) {
  const { t } = useTranslation('replays')
  const { draft, change } = form
  const [part, setPart] = useState<Part>('body')
  const changed = changedParts(draft, original)
  const reset = () => {
    const { body, headers, method, url } = original
    change(part === 'body' ? { body } : part === 'headers' ? { headers } : { method, url })
  }
  return (
    <div className="w-full">
      <Tabs<Part>
        label={t('edit.parts')}
        value={part}
        onChange={setPart}
        className="h-330 overflow-hidden border border-line rounded"
        items={PARTS.map((value) => ({
          value,
          label: changed.has(value)
            ? t('edit.changedPart', { part: t(`edit.part.${value}`) })
            : t(`edit.part.${value}`),
        }))}
      >
        <TabPanel value="body">
          <BodyPart {...form} />
        </TabPanel>
        <TabPanel value="headers">
          <ScrollRegion
            className="grid content-start gap-6 h-full px-14 py-10 overflow-y-auto focus-visible:-outline-offset-2"
            label={t('edit.part.headers')}
          >
            <p className="text-fg-3 text-xs leading-[1.45]">{t('edit.headersHint')}</p>
            <HeaderTable
              covered
              headers={draft.headers}
              onChange={(headers) => change({ headers })}
              errorOf={form.errorOf}
            />
          </ScrollRegion>
        </TabPanel>
        <TabPanel value="line">
          <div className="flex flex-wrap gap-x-12 gap-y-10 w-full p-14">
            {form.draw('method')}
            {form.draw('url')}
          </div>
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

function BodyPart({ draft, change }: OneForm) {
  const { t } = useTranslation('replays')
  const { body } = draft
  const editor = useRef<JsonEditorHandle>(null)
  // Checking a megabyte takes longer than the time between two keystrokes.
  const text = useDeferredValue(body.editable ? body.text : '')
  const check = useMemo(() => checkBody(text), [text])
  if (!body.editable)
    return (
      <p className="grid place-content-center justify-items-center gap-10 h-full p-24 text-fg-2 text-s leading-[1.5] text-center">
        {t(`edit.not.${body.why}`)}
      </p>
    )
  if (body.original === '' && body.text === '') {
    return (
      <div className="grid place-content-center justify-items-center gap-10 h-full p-24 text-fg-2 text-s leading-[1.5] text-center">
        <p>{t('edit.emptyBody')}</p>
        <Button small onClick={() => change({ body: { ...body, text: '{\n  \n}' } })}>
          {t('edit.writeBody')}
        </Button>
      </div>
    )
  }
  const layOut = async () => {
    const laid = await bodyText(givenBody('edited', base64Of(new TextEncoder().encode(body.text)))).catch(
      () => null,
    )
    if (laid?.nature === 'json' && !laid.cut) change({ body: { ...body, text: laid.text } })
  }
  return (
    <div className="grid grid-rows-[minmax(0,1fr)_auto] grid-cols-1 h-full">
      <JsonEditor
        ref={editor}
        label={t('edit.bodyLabel')}
        value={body.text}
        onChange={(next) => change({ body: { ...body, text: next } })}
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
