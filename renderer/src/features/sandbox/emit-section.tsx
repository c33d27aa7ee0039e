import { Dices, Send } from 'lucide-react'
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import type { Kind } from '#catalog/kinds.ts'
import { KINDS, kindSpec } from '#catalog/kinds.ts'
import type { SandboxEmitted } from '#contract/sandbox.ts'
import { MOD } from '@/shared/actions/action.ts'
import { type BodyCheck, BodyNotes, checkBody } from '@/shared/components/body-notes.tsx'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmDialog } from '@/shared/components/confirm-action.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { FindingNote } from '@/shared/components/finding-note.tsx'
import { JsonEditor, type JsonEditorHandle, sendKey } from '@/shared/components/json-editor.tsx'
import { kindsFound } from '@/shared/components/kind-boxes.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { GroupDot, Tag } from '@/shared/components/tag.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useLanguage } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { ChoiceList } from './choice-list.tsx'
import { LIST_AND_PANE, SHORT } from './part.tsx'
import { RunResult } from './run-result.tsx'
import { followRun, useRuns } from './runs.ts'

interface Draft {
  readonly made: string
  /** What it was drawn from: the same seed emits the same data. */
  readonly seed: number
  readonly text: string
}

interface EmitDrafts {
  readonly kind: Kind
  readonly count: number | null
  /** By kind, so that nothing typed is lost by looking at another one. */
  readonly drafts: Readonly<Partial<Record<Kind, Draft>>>
}

/** A seed of its own for every body: 32 bits, as the sandbox takes them. */
const newSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0

const useEmitDraft = create<EmitDrafts>()(() => ({ kind: 'factura.created', count: 1, drafts: {} }))
const keep = (kind: Kind, draft: Draft): void =>
  useEmitDraft.setState(({ drafts }) => ({ drafts: { ...drafts, [kind]: draft } }))

/** Asks for other data of a kind. @throws RefusalError */
async function draw(kind: Kind): Promise<void> {
  const seed = newSeed()
  const { body: made } = await api.call('sandbox.preview', { kind, seed })
  keep(kind, { made, seed, text: made })
}

/** The sandbox makes at most so many at once. */
export const MOST_EMITTED = 1_000
/** Each body as written is a call of its own. */
export const MOST_SENT = 100

/**
 * Fires events of a kind, and follows what becomes of them. As made: the sandbox performs what leads to the event, so that its document
 * stands in the sync routes too. As written: exactly that text goes out, and no document changes.
 * @throws RefusalError
 */
export async function sendBody(kind: Kind, draft: Draft, count: number): Promise<void> {
  const sent: SandboxEmitted[] = []
  if (draft.text === draft.made) sent.push(await api.call('sandbox.emit', { kind, count, seed: draft.seed }))
  else for (let i = 0; i < count; i++) sent.push(await api.call('sandbox.send', { kind, body: draft.text }))
  const events = sent.flatMap((one) => one.events)
  const subjects = new Set(events.map(({ subject }) => subject))
  const [subject = null] = subjects
  // Followed in its own time: the button is free as soon as the events are made.
  void followRun('emit', {
    runs: sent.map(({ run }) => run),
    events: events.length,
    making: false,
    subject: subjects.size === 1 ? subject : null,
  })
}

/** The documents that the sync routes list, by the events that are about them. */
const LISTED: ReadonlySet<string> = new Set(['invoices', 'credit', 'debit', 'expenses', 'dgii'])
/** The sandbox makes these from nothing, so nothing comes before them. */
const FIRST: ReadonlySet<Kind> = new Set<Kind>(['factura.created', 'gasto.created'])

/** Whether an event of this kind, sent alone, leaves out earlier ones that Reconcile can prove to be missing. */
export const withholdsEarlier = (kind: Kind): boolean =>
  LISTED.has(kindSpec(kind)?.group ?? '') && !FIRST.has(kind)

export function EmitSection() {
  const { t } = useTranslation(['sandbox', 'components'])
  const language = useLanguage()
  const notesId = useId()
  const { kind, count, drafts } = useEmitDraft()
  const draft = drafts[kind]
  const drawing = useAction()
  const sending = useAction()
  const editor = useRef<JsonEditorHandle>(null)
  const [warned, setWarned] = useState(false)
  const [sought, setSought] = useState('')
  const run = useRuns((s) => s.runs.emit)
  const text = draft?.text ?? ''
  // Judging a large body must not hold up the typing.
  const judged = useDeferredValue(text)
  const check = useMemo(() => checkBody(judged), [judged])
  const edited = draft !== undefined && draft.text !== draft.made
  const most = edited ? MOST_SENT : MOST_EMITTED
  const wrongCount = count === null || count < 1 || count > most
  const spec = kindSpec(kind)

  const fill = () => void drawing.run(() => draw(kind))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a kind that was not looked at yet is filled, once
  useEffect(() => {
    if (!draft) fill()
  }, [kind])

  const send = async (anyway: boolean) => {
    if (!draft || wrongCount || count === null || sending.busy) return
    // As it stands now, not as it stood when it was last judged.
    const now = checkBody(draft.text)
    if (!now.json) return editor.current?.goTo(now.place.line, now.place.column)
    const breaks = now.verdict === 'invalid' || now.verdict === 'unreadable' || now.verdict === 'warning'
    if (edited && breaks && !anyway) return setWarned(true)
    setWarned(false)
    await sending.run(() => sendBody(kind, draft, count))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut holds wherever the focus stands in here
    <div className={LIST_AND_PANE} onKeyDown={sendKey(() => void send(false))}>
      <ChoiceList
        label={t('emit.kinds', { count: KINDS.length })}
        value={kind}
        onChange={(next) => useEmitDraft.setState({ kind: next })}
        groups={kindsFound(sought, language).map(({ slug, name, kinds }) => ({
          id: slug,
          name,
          choices: kinds.map(({ kind: value }) => ({ value, mark: <GroupDot group={slug} /> })),
        }))}
        sought={sought}
        onSeek={setSought}
        searchLabel={t('emit.search')}
        none={t('emit.noKind')}
      />
      <section
        className="grid grid-rows-[auto_minmax(80px,1fr)_auto] grid-cols-1 min-w-0 min-h-0"
        aria-label={t('emit.title')}
      >
        <header className="px-14 py-10 border-b border-line bg-panel">
          <div className="flex items-center gap-8 min-h-28">
            <h2 className="flex items-center gap-8 min-w-0 heading-l">
              <GroupDot group={spec?.group ?? null} />
              {kind}
            </h2>
            {edited ? <Tag tone="accent">{t('emit.edited')}</Tag> : null}
            <span className="flex-1" />
            <CopyButton text={text} label={t('emit.copyBody')} />
            <Button
              icon={<Dices />}
              title={t('emit.newDataHint')}
              busy={drawing.busy && draft !== undefined}
              onClick={fill}
            >
              {t('emit.newData')}
            </Button>
          </div>
          <p className="text-fg-2 text-s leading-[1.45] text-pretty">
            {t('emit.when', { when: spec?.emittedWhen[language] ?? '' })}
          </p>
        </header>
        {draft ? (
          <JsonEditor
            ref={editor}
            label={t('emit.body', { kind })}
            value={text}
            onChange={(next) => keep(kind, { ...draft, text: next })}
            wrongLine={check.json ? null : check.place.line}
            describedBy={notesId}
          />
        ) : (
          <div className="grid place-items-center p-24 text-fg-3">
            {drawing.refusal ? (
              <Refused refusal={drawing.refusal} />
            ) : (
              <Spinner label={t('emit.preparing')} />
            )}
          </div>
        )}
        <footer className="grid gap-8 px-14 pt-8 pb-10 border-t border-line bg-panel">
          <div id={notesId} className="grid gap-6 min-h-20">
            {draft ? <BodyNotes check={check} onPlace={(l, c) => editor.current?.goTo(l, c)} /> : null}
            {draft && drawing.refusal ? <Refused refusal={drawing.refusal} /> : null}
          </div>
          <div className="flex flex-wrap items-end gap-x-14 gap-y-8">
            <NumberField
              className={SHORT}
              label={t('emit.count')}
              min={1}
              max={most}
              value={count}
              onChange={(next) => useEmitDraft.setState({ count: next })}
              error={wrongCount ? t('components:numbers.whole', { least: 1, most }) : null}
            />
            <p className="flex-1 min-w-160 self-end pb-5 text-fg-3 text-s leading-[1.4]">
              {t(edited ? 'emit.asEdited' : 'emit.asMade')}
              {!edited && withholdsEarlier(kind) ? ` ${t('emit.withheld')}` : null}
            </p>
            <Button
              variant="primary"
              icon={<Send />}
              kbd={`${MOD} ↵`}
              busy={sending.busy}
              disabled={!draft || !check.json || wrongCount}
              onClick={() => void send(false)}
            >
              {t('emit.send')}
            </Button>
          </div>
          <Refused refusal={sending.refusal} />
          {run ? <RunResult run={run} /> : null}
        </footer>
      </section>
      {warned && check.json ? (
        <WarnDialog check={check} onSend={() => void send(true)} onCancel={() => setWarned(false)} />
      ) : null}
    </div>
  )
}

/** More than these say no more. */
const FINDINGS_SHOWN = 6

interface WarnDialogProps {
  readonly check: Extract<BodyCheck, { json: true }>
  readonly onSend: () => void
  readonly onCancel: () => void
}

function WarnDialog({ check, onSend, onCancel }: WarnDialogProps) {
  const { t } = useTranslation('sandbox')
  // Notes break nothing.
  const breaking = check.findings.filter(({ level }) => level !== 'note')
  const rest = breaking.length - FINDINGS_SHOWN
  return (
    <ConfirmDialog
      title={t('emit.warn.title')}
      confirmLabel={t('emit.sendAnyway')}
      onConfirm={onSend}
      onCancel={onCancel}
    >
      <p className="mb-10 text-fg-2 text-m leading-[1.45]">{t('emit.warn.text')}</p>
      {breaking.slice(0, FINDINGS_SHOWN).map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: findings of one body have no identity but their place
        <FindingNote key={index} finding={finding} />
      ))}
      {rest > 0 ? <p className="text-fg-3 text-s">{t('emit.warn.more', { count: rest })}</p> : null}
    </ConfirmDialog>
  )
}
