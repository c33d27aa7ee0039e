import { Dices, Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { create } from 'zustand'
import { KINDS, type Kind, kindSpec } from '#catalog/kinds.ts'
import type { SandboxEmitted } from '#contract/sandbox.ts'
import { MOD } from '@/shared/actions/action.ts'
import { type BodyCheck, BodyNotes, checkBody } from '@/shared/components/body-notes.tsx'
import { Button } from '@/shared/components/button.tsx'
import { ChoiceList } from '@/shared/components/choice-list.tsx'
import { ConfirmDialog } from '@/shared/components/confirm-action.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { FindingNotes } from '@/shared/components/finding-note.tsx'
import { JsonEditor, useJsonPane } from '@/shared/components/json-editor.tsx'
import { kindsFound } from '@/shared/components/kind-boxes.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { GroupDot, Tag } from '@/shared/components/tag.tsx'
import { NumberField } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { LIST_AND_PANE, SHORT } from './part.tsx'
import { RunResult } from './run-result.tsx'
import { followRun, useRuns } from './sandbox.ts'

interface Draft {
  readonly made: string
  /** Seed of the data: the same seed emits the same data. */
  readonly seed: number
  readonly text: string
}

interface EmitDrafts {
  readonly kind: Kind
  readonly count: number | null
  /** By kind, so that switching between kinds loses no edit. */
  readonly drafts: Readonly<Partial<Record<Kind, Draft>>>
}

const useEmitDraft = create<EmitDrafts>()(() => ({ kind: 'factura.created', count: 1, drafts: {} }))
const keep = (kind: Kind, draft: Draft): void =>
  useEmitDraft.setState(({ drafts }) => ({ drafts: { ...drafts, [kind]: draft } }))

/** Requests new sample data of a kind. @throws RefusalError */
async function draw(kind: Kind): Promise<void> {
  // A new 32-bit seed for every body.
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1))
  const { body: made } = await api.call('sandbox.preview', { kind, seed })
  keep(kind, { made, seed, text: made })
}

/** Limit of the sandbox per call. */
const MOST_EMITTED = 1_000
/** Limit of bodies sent as written; each takes one call. */
const MOST_SENT = 100

/**
 * Emits events of a kind and follows their deliveries. As generated: the sandbox performs the steps that lead to the event, so its document
 * appears in the sync routes too. As written: it sends exactly this text, and no document changes.
 * @throws RefusalError
 */
async function sendBody(kind: Kind, draft: Draft, count: number): Promise<void> {
  const sent: SandboxEmitted[] = []
  if (draft.text === draft.made) sent.push(await api.call('sandbox.emit', { kind, count, seed: draft.seed }))
  else for (let i = 0; i < count; i++) sent.push(await api.call('sandbox.send', { kind, body: draft.text }))
  const events = sent.flatMap((one) => one.events)
  const subjects = new Set(events.map(({ subject }) => subject))
  const [subject = null] = subjects
  // Not awaited: the button is free again as soon as the events exist.
  void followRun('emit', {
    runs: sent.map(({ run }) => run),
    events: events.length,
    subject: subjects.size === 1 ? subject : null,
  })
}

/** Groups of events whose documents the sync routes list. */
const LISTED: ReadonlySet<string> = new Set(['invoices', 'credit', 'debit', 'expenses', 'dgii'])
/** Kinds that the sandbox emits first for a document, so no earlier event is missing. */
const FIRST: ReadonlySet<Kind> = new Set<Kind>(['factura.created', 'gasto.created'])

/** Whether a lone event of this kind lacks earlier events that Reconcile would report as missing. */
export const withholdsEarlier = (kind: Kind): boolean =>
  LISTED.has(kindSpec(kind)?.group ?? '') && !FIRST.has(kind)

export function EmitSection() {
  const { t, language } = useTexts(['sandbox', 'components'])
  const { kind, count, drafts } = useEmitDraft()
  const draft = drafts[kind]
  const drawing = useAction()
  const sending = useAction()
  const [warned, setWarned] = useState(false)
  const run = useRuns((s) => s.runs.emit)
  const text = draft?.text ?? ''
  const edited = draft !== undefined && text !== draft.made
  const most = edited ? MOST_SENT : MOST_EMITTED
  const wrongCount = count === null || count < 1 || count > most
  const spec = kindSpec(kind)

  const fill = () => void drawing.run(() => draw(kind))
  // biome-ignore lint/correctness/useExhaustiveDependencies: fills a kind once, when the user first selects it
  useEffect(() => {
    if (!draft) fill()
  }, [kind])

  const send = () => {
    setWarned(false)
    if (draft && !wrongCount) void sending.run(() => sendBody(kind, draft, count))
  }
  const pane = useJsonPane(text, checkBody, (now) => {
    if (!draft || wrongCount || sending.busy) return
    if (edited && breaking(now).length > 0) setWarned(true)
    else send()
  })
  const { check } = pane
  const findings = breaking(check)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut works wherever the focus is in this part
    <div className={LIST_AND_PANE} onKeyDown={pane.onKeyDown}>
      <ChoiceList
        label={t('emit.kinds', { count: KINDS.length })}
        selected={kind}
        onChange={(next) => useEmitDraft.setState({ kind: next })}
        groups={(sought) =>
          kindsFound(sought, language).map(({ slug, name, kinds }) => ({
            id: slug,
            name,
            options: kinds.map(({ kind: value }) => ({
              value,
              content: (
                <>
                  <GroupDot group={slug} />
                  {value}
                </>
              ),
            })),
          }))
        }
        searchLabel={t('emit.search')}
        none={t('emit.noKind')}
      />
      <section
        className="grid grid-rows-[auto_minmax(80px,1fr)_auto] grid-cols-1 min-w-0 min-h-0 overflow-y-auto"
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
            {...pane.editor}
            label={t('emit.body', { kind })}
            onChange={(next) => keep(kind, { ...draft, text: next })}
          />
        ) : (
          <div>{drawing.refusal ? null : <Loading />}</div>
        )}
        <footer className="grid gap-8 px-14 pt-8 pb-10 border-t border-line bg-panel">
          <div id={pane.notes} className="grid gap-6 min-h-20">
            {draft ? <BodyNotes check={check} onPlace={pane.goTo} /> : null}
            <Refused refusal={drawing.refusal} />
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
              disabled={!draft || pane.wrong || wrongCount}
              onClick={pane.submit}
            >
              {t('emit.send')}
            </Button>
          </div>
          <Refused refusal={sending.refusal} />
          {run ? <RunResult run={run} /> : null}
        </footer>
      </section>
      {warned && check.json ? (
        <ConfirmDialog
          title={t('emit.warn.title')}
          confirmLabel={t('emit.sendAnyway')}
          onConfirm={send}
          onCancel={() => setWarned(false)}
        >
          <p className="mb-10 text-fg-2 text-m leading-[1.45]">{t('emit.warn.text')}</p>
          <FindingNotes findings={findings.slice(0, FINDINGS_SHOWN)} />
          {findings.length > FINDINGS_SHOWN ? (
            <p className="text-fg-3 text-s">
              {t('emit.warn.more', { count: findings.length - FINDINGS_SHOWN })}
            </p>
          ) : null}
        </ConfirmDialog>
      ) : null}
    </div>
  )
}

/** Number of findings to show. */
const FINDINGS_SHOWN = 6

/** Findings that make the event wrong; notes do not. */
const breaking = (check: BodyCheck) =>
  check.json ? check.findings.filter(({ level }) => level !== 'note') : []
