import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttemptRow } from '#contract/replay.ts'
import { bytesOf } from '#core/copy/copy.ts'
import { AnswerVerdict } from '@/shared/attempts/answer-verdict.tsx'
import type { Comparison } from '@/shared/attempts/compare-view.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { newHeader } from '@/shared/headers/header-draft.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { type SheetSource, useReplaySheet } from '@/shared/live/layers.ts'
import { bodyDraftOf, EDITED_MOST, type EditDraft, editOf } from './edit-form.ts'
import { EditTabs, type OneForm, useOneForm } from './edit-tabs.tsx'
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
