import { Dices, Send } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { kindSpec } from '#catalog/kinds.ts'
import { MOD } from '@/shared/actions/action.ts'
import { BodyNotes, checkBody } from '@/shared/components/body-notes.tsx'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { JsonEditor, type JsonEditorHandle } from '@/shared/components/json-editor.tsx'
import { useFoot } from '@/shared/components/notices.ts'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { GroupDot, Tag } from '@/shared/components/tag.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useLanguage } from '@/shared/i18n/format.ts'
import styles from './emit.module.css'
import { useEmitDraft } from './emit-draft.ts'
import { KindList } from './kind-list.tsx'
import { RunResult } from './run-result.tsx'
import { useRuns } from './runs.ts'
import common from './sandbox.module.css'
import { MOST_EMITTED, MOST_SENT, sendBody } from './send-body.ts'
import { WarnDialog } from './warn-dialog.tsx'
import { withholdsEarlier } from './withheld.ts'

/** One event of a kind: its body as the sandbox makes it, or as one writes it. */
export function EmitSection() {
  const { t } = useTranslation('sandbox')
  const language = useLanguage()
  const notesId = useId()
  const { kind, count, drafts, choose, setCount, write, draw } = useEmitDraft()
  const draft = drafts[kind]
  const drawing = useAction()
  const sending = useAction()
  const editor = useRef<JsonEditorHandle>(null)
  const foot = useFoot<HTMLElement>()
  const [warned, setWarned] = useState(false)
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
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void send(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut holds wherever the focus stands in here
    <div className={styles.emit} onKeyDown={keys}>
      <KindList value={kind} onChange={choose} />
      <section className={styles.main} aria-label={t('emit.title')}>
        <header className={styles.head}>
          <div className={styles.title}>
            <h2>
              <GroupDot group={spec?.group ?? null} />
              {kind}
            </h2>
            {edited ? <Tag tone="accent">{t('emit.edited')}</Tag> : null}
            <span className={common.spacer} />
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
          <p className={styles.when}>{t('emit.when', { when: spec?.emittedWhen[language] ?? '' })}</p>
        </header>
        {draft ? (
          <JsonEditor
            ref={editor}
            label={t('emit.body', { kind })}
            value={text}
            onChange={write}
            wrongLine={check.json ? null : check.place.line}
            describedBy={notesId}
          />
        ) : (
          <div className={styles.waiting}>
            {drawing.refusal ? (
              <Refused refusal={drawing.refusal} />
            ) : (
              <Spinner label={t('emit.preparing')} />
            )}
          </div>
        )}
        <footer ref={foot} className={styles.foot}>
          <div id={notesId} className={styles.notes}>
            {draft ? <BodyNotes check={check} onPlace={(l, c) => editor.current?.goTo(l, c)} /> : null}
            {draft && drawing.refusal ? <Refused refusal={drawing.refusal} /> : null}
          </div>
          <div className={styles.send}>
            <NumberField
              className={styles.count}
              label={t('emit.count')}
              min={1}
              max={most}
              value={count}
              onChange={setCount}
              error={wrongCount ? t('emit.countError', { most }) : null}
            />
            <p className={styles.meaning}>
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
