import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { AttemptRow, ReplaySource } from '#contract/replay.ts'
import type { Target } from '#contract/target.ts'
import { outgoingUrl, targetUrl } from '#core/replay/request-url.ts'
import { AnswerVerdict } from '@/shared/attempts/answer-verdict.tsx'
import { isTimes, MOST_TIMES } from '@/shared/attempts/attempt-words.ts'
import { CompareView, type Comparison } from '@/shared/attempts/compare-view.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { type SheetSource, useReplaySheet } from '@/shared/live/layers.ts'
import { useReplays } from '@/shared/live/replays.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { editErrors, editOf } from '@/shared/targets/edit-draft.ts'
import { firstChoice, nameForUrl, referenceOf, TYPED } from '@/shared/targets/target-choice.ts'
import { EditTabs, useEdit } from './edit-tabs.tsx'
import { FIRST_OPTIONS, optionsOf } from './options-draft.ts'
import { OptionsForm } from './options-form.tsx'
import { Preview, usePreview } from './preview.tsx'
import { ReplayNotice } from './replay-notice.tsx'
import styles from './sheet.module.css'
import { TargetPicker } from './target-picker.tsx'

/** Makes a typed URL a target with the usual options, unless one has it already. @returns its name */
async function keptTarget(url: string, targets: readonly Target[]): Promise<string> {
  const known = targets.find((target) => target.url === url)
  if (known) return known.name
  const name = nameForUrl(
    url,
    targets.map((target) => target.name),
  )
  useSettings.getState().receive(await api.call('targets.save', { ...DEFAULT_TARGET, name, url }))
  return name
}

type What = 'one' | 'ids' | 'filter' | 'document'

/** What can be sent of what there was when the sheet was opened; the first is offered. */
function offered(source: SheetSource): readonly What[] {
  const several = source.ids.length > 1 ? (['ids'] as const) : []
  const one = source.delivery === null ? [] : (['one'] as const)
  const shown = source.filter === null ? [] : (['filter'] as const)
  const document = source.documentId === null ? [] : (['document'] as const)
  return source.everything
    ? [...shown, ...several, ...one, ...document]
    : [...several, ...one, ...shown, ...document]
}

function jobSource(source: SheetSource, what: What): ReplaySource | null {
  if (what === 'ids') return { type: 'ids', ids: source.ids }
  if (what === 'filter' && source.filter) return { type: 'filter', filter: source.filter.text }
  if (what === 'document' && source.documentId !== null)
    return { type: 'document', documentId: source.documentId }
  return null
}

/** Where a delivery would go by a target's policies, for a sentence. */
function exampleUrl(targets: readonly Target[], reference: string | null, url: string): string | null {
  if (reference === null) return null
  const target = targets.find(({ name }) => name === reference) ?? { ...DEFAULT_TARGET, url: reference }
  return shownUrl(outgoingUrl(targetUrl(target.url), target, url))
}

/** Sends one delivery, edited or not, or begins a job for many. */
export function ReplaySheet({ source }: { readonly source: SheetSource }) {
  const { t } = useTranslation(['replays', 'common'])
  const format = useFormat()
  const settings = useSettings((s) => s.settings)
  const { close, tell } = useReplaySheet()
  const action = useAction()
  const targets = settings?.targets ?? []
  const whats = offered(source)
  const [what, setWhat] = useState<What>(whats[0] ?? 'filter')
  const [choice, setChoice] = useState(() =>
    firstChoice(targets, settings?.defaultTarget ?? null, useReplaySheet.getState().lastUrl),
  )
  const [keep, setKeep] = useState(false)
  const [draft, setDraft] = useState(FIRST_OPTIONS)
  const edit = useEdit(source.delivery)
  const reference = referenceOf(choice)
  const single = what === 'one'
  const options = single || reference === null ? null : optionsOf(draft, reference)
  const from = jobSource(source, what)
  const previewed = usePreview(from, options)
  const { editing } = edit
  const [times, setTimes] = useState<number | null>(source.times ?? 1)
  /** The results of sending it several times. */
  const [sent, setSent] = useState<readonly AttemptRow[] | null>(null)
  const [compared, setCompared] = useState<Comparison | null>(null)
  const back = () => setCompared(null)
  const errors = editing ? editErrors(editing.draft, editing.original) : new Set<never>()
  const count = previewed.preview?.count ?? 0
  const ready = single
    ? editing !== null && reference !== null && errors.size === 0 && isTimes(times)
    : options !== null && count > 0 && !previewed.preview?.searching

  const sendOne = async (delivery: number, target: string) => {
    const changes = editing ? editOf(editing.draft, editing.original) : undefined
    const { attempts } = await api.call('replay.send', {
      delivery,
      to: { target },
      ...(changes ? { edit: changes } : {}),
      ...(times === null || times === 1 ? {} : { times }),
    })
    if (attempts.length > 1) return setSent(attempts)
    const attempt = attempts.at(-1)
    close()
    if (attempt) tell({ what: 'answered', attempt })
  }
  const submit = () => {
    if (!ready || reference === null) return
    setSent(null)
    const typed = choice.chosen === TYPED
    if (typed) useReplaySheet.setState({ lastUrl: reference })
    void action.run(async () => {
      const target = typed && keep ? await keptTarget(reference, targets) : reference
      if (single && source.delivery !== null) return sendOne(source.delivery, target)
      if (!from || !options) return
      const job = await api.call('jobs.start', {
        source: from,
        options: { ...options, to: { ...options.to, target } },
      })
      useReplays.getState().putJob(job)
      close()
      tell({ what: 'job', job: job.id })
    })
  }
  const openAttempt = (attempt: number) => {
    close()
    if (source.delivery !== null) void openDelivery(source.delivery, attempt)
  }
  const label = (name: What): string => {
    if (name === 'ids') return t('sheet.what.ids', { count: source.ids.length })
    if (name === 'one') return t('sheet.what.one', { id: source.delivery ?? 0 })
    if (name === 'filter')
      return source.filter?.text === ''
        ? t('sheet.what.all', { count: source.filter.total })
        : t('sheet.what.filter', { count: source.filter?.total ?? 0 })
    return t('sheet.what.document')
  }
  const example = single && editing ? exampleUrl(targets, reference, editing.draft.url) : null
  const method = editing?.draft.method
  if (compared)
    return (
      <Dialog
        open
        onClose={close}
        onEscape={back}
        width={820}
        title={t('sheet.title')}
        footer={<Button onClick={back}>{t('compare.back')}</Button>}
      >
        <div className="h-[min(60vh,560px)] -mx-14">
          <CompareView comparison={compared} onBack={back} />
        </div>
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={close}
      width={820}
      title={t('sheet.title')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={close}>{t(sent === null ? 'common:cancel' : 'common:close')}</Button>
          <Button type="submit" variant="primary" busy={action.busy} disabled={!ready}>
            {single
              ? t('sheet.sendTimes', { count: times ?? 1 })
              : t('sheet.start', { count, formatted: format.number(count) })}
          </Button>
        </>
      }
    >
      <div className={cx(styles.sheet, 'grid grid-cols-1 justify-items-start gap-12')}>
        <Refused refusal={action.refusal} />
        <TargetPicker
          targets={targets}
          defaultTarget={settings?.defaultTarget ?? null}
          choice={choice}
          onChange={setChoice}
          keep={{ on: keep, set: setKeep }}
        />
        {whats.length > 1 ? (
          <SegmentedControl<What>
            label={t('sheet.whatLabel')}
            value={what}
            onChange={setWhat}
            segments={whats.map((value) => ({ value, label: label(value) }))}
          />
        ) : (
          <p className="text-m font-medium">{label(what)}</p>
        )}
        {single ? (
          <>
            {example === null ? null : (
              <p className="text-fg-2 text-s leading-[1.5] wrap-anywhere [&_code]:text-fg">
                <span>{t('sheet.goesTo')}</span>{' '}
                <code>
                  {method} {example}
                </code>
              </p>
            )}
            <NumberField
              label={t('times.times')}
              className={styles.times}
              value={times}
              onChange={setTimes}
              min={1}
              max={MOST_TIMES}
              error={isTimes(times) ? null : t('times.error')}
              hint={t('sheet.timesHint')}
            />
            <div role="status">
              {sent === null ? null : (
                <AnswerVerdict attempts={sent} onOpen={openAttempt} onCompare={setCompared} />
              )}
            </div>
            <Refused refusal={edit.refusal} />
            {editing ? (
              <EditTabs editing={editing} errors={errors} onChange={edit.change} />
            ) : edit.refusal ? null : (
              <Loading className="w-full h-200" />
            )}
          </>
        ) : (
          <>
            {what === 'filter' && source.filter?.text ? (
              <code className="text-fg-2 text-s leading-[1.5] wrap-anywhere">{source.filter.text}</code>
            ) : null}
            <OptionsForm draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
            <Preview previewed={previewed} />
          </>
        )}
      </div>
    </Dialog>
  )
}

/** The sheet and the notice of what it sent, over whatever screen there is. */
export function ReplayLayer() {
  const { source, notice } = useReplaySheet()
  const screen = useRoute((s) => s.screen)
  // The screen of the jobs shows it already, and more of it.
  const said = notice?.what === 'job' && screen === 'replays'
  return (
    <>
      {source ? <ReplaySheet source={source} /> : null}
      {notice && !source && !said ? <ReplayNotice notice={notice} /> : null}
    </>
  )
}
