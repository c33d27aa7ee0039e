import { AlignLeft, Undo2 } from 'lucide-react'
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttemptRow } from '#contract/replay.ts'
import { base64Of, bytesOf } from '#core/copy/copy.ts'
import { AnswerVerdict, type Comparison } from '@/shared/attempts/compare-view.tsx'
import { bodyText, givenBody } from '@/shared/body/open-body.ts'
import { BodyNotes, checkBody } from '@/shared/components/body-notes.tsx'
import { Button } from '@/shared/components/button.tsx'
import { JsonEditor, type JsonEditorHandle } from '@/shared/components/json-editor.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { TabPanel, Tabs } from '@/shared/components/tabs.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { HeaderTable, newHeader } from '@/shared/headers/header-table.tsx'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { type SheetSource, useReplaySheet } from '@/shared/live/layers.ts'
import {
  bodyDraftOf,
  changedParts,
  EDITED_MOST,
  type EditDraft,
  editForm,
  editOf,
  PARTS,
  type Part,
} from './edit-form.ts'
import type { ChosenTarget } from './target-picker.tsx'

/** One way to send the sheet's deliveries. */
export interface Sending {
  readonly ready: boolean
  readonly label: string
  /** The sheet shows the result. */
  readonly done: boolean
  readonly part: ReactNode
  readonly dialog: OneForm['dialog']
}

/** Reads secrets too: an edited header list is sent whole, and a mask would be sent as a value. */
async function read(id: number): Promise<EditDraft> {
  const [detail, revealed] = await Promise.all([
    api.call('deliveries.get', { id }),
    api.call('deliveries.get', { id, reveal: true }),
  ])
  const slice = { id, view: 'raw', from: 0, length: EDITED_MOST } as const
  const body = detail.size > EDITED_MOST ? null : await api.call('deliveries.body', slice)
  return {
    method: detail.method,
    url: revealed.url,
    headers: revealed.headers.map(({ name, value }, place) =>
      newHeader({ name, value, secret: detail.headers[place]?.masked ?? false }),
    ),
    body: bodyDraftOf(body ? bytesOf(body.bytesBase64) : undefined, detail.codings),
  }
}

const UNREAD: EditDraft = { method: '', url: '', headers: [], body: { editable: false, why: 'large' } }

export function useSendOne(
  source: SheetSource,
  to: ChosenTarget,
  onCompare: (comparison: Comparison) => void,
): Sending {
  const { t } = useTranslation('replays')
  const { close, tell } = useReplaySheet.getState()
  const { delivery } = source
  const { data: original, refusal } = useAnswer(delivery === null ? null : String(delivery), () =>
    read(delivery ?? 0),
  )
  const [sent, setSent] = useState<readonly AttemptRow[] | null>(null)
  const form = useOneForm(source, original ?? UNREAD, async (draft) => {
    if (delivery === null || original === null) return
    setSent(null)
    const target = await to.keep()
    const edit = editOf(draft, original)
    const { attempts } = await api.call('replay.send', {
      delivery,
      to: { target },
      ...(edit ? { edit } : {}),
      ...(times === null || times === 1 ? {} : { times }),
    })
    if (attempts.length > 1) return setSent(attempts)
    const attempt = attempts.at(-1)
    close()
    if (attempt) tell({ what: 'answered', attempt })
  })
  const { method, url, times } = form.draft
  const example = original && to.exampleOf(url)
  const openAttempt = (attempt: number) => {
    close()
    if (delivery !== null) void openDelivery(delivery, attempt)
  }
  return {
    dialog: form.dialog,
    ready: original !== null && form.params !== undefined && to.reference !== null,
    label: t('sheet.sendTimes', { count: times ?? 1 }),
    done: sent !== null,
    part: (
      <>
        {example === null ? null : (
          <p className="text-fg-2 text-s leading-[1.5] wrap-anywhere [&_code]:text-fg">
            <span>{t('sheet.goesTo')}</span>{' '}
            <code>
              {method} {example}
            </code>
          </p>
        )}
        {form.draw('times')}
        <div role="status">
          {sent === null ? null : (
            <AnswerVerdict attempts={sent} onOpen={openAttempt} onCompare={onCompare} />
          )}
        </div>
        <Refused refusal={refusal} />
        {original ? (
          <EditTabs form={form} original={original} />
        ) : refusal ? null : (
          <Loading className="w-full h-200" />
        )}
      </>
    ),
  }
}

function useOneForm(
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
type OneForm = ReturnType<typeof useOneForm>

/** Editor of the request to send. Changed parts are marked and can be reset. */
function EditTabs({ form, original }: { readonly form: OneForm; readonly original: EditDraft }) {
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
