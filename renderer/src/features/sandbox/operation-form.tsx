import { Play } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxOperation } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import styles from './operation.module.css'
import { argumentsOf, type OperationDraft, parameterError } from './operation-draft.ts'
import { useOperationDrafts } from './operation-drafts.ts'
import { useOperationText } from './operation-text.ts'
import { RunResult } from './run-result.tsx'
import { followRun, useRuns } from './runs.ts'

const NOTHING: OperationDraft = {}

/** An operation's own description as a form: what is left empty is drawn by the sandbox. */
export function OperationForm({ operation }: { readonly operation: SandboxOperation }) {
  const { t } = useTranslation('sandbox')
  const textOf = useOperationText()
  const { drafts, lastId, write, about } = useOperationDrafts()
  const action = useAction()
  const run = useRuns((s) => s.runs.operation)
  const [tried, setTried] = useState(false)
  const draft = drafts[operation.name] ?? NOTHING
  const refusal = action.refusal && textOf.refusal(action.refusal)
  /** The sandbox names the parameter first in what it says of one. */
  const refused = operation.parameters.find(
    ({ name }) => action.refusal?.code === 'bad-params' && action.refusal.message.startsWith(`${name} `),
  )?.name
  const change = (parameter: string, text: string) => {
    write(operation.name, parameter, text)
    action.clear()
  }
  const errorOf = (parameter: SandboxOperation['parameters'][number]) =>
    parameterError(parameter, draft[parameter.name] ?? '')
  const perform = async () => {
    setTried(true)
    if (operation.parameters.some((parameter) => errorOf(parameter) !== null)) return
    await action.run(async () => {
      const done = await api.call('sandbox.perform', {
        name: operation.name,
        params: argumentsOf(operation, draft),
      })
      about(done.id)
      setTried(false)
      void followRun('operation', {
        runs: [done.run],
        events: done.events.length,
        making: false,
        subject: done.events.at(-1)?.subject ?? null,
      })
    })
  }
  return (
    <section className={styles.pane} aria-label={operation.name}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void perform()
        }}
      >
        <div>
          <h2 className={styles.name}>{operation.name}</h2>
          <p className={styles.summary}>{textOf.summary(operation)}</p>
        </div>
        <div className={styles.fields}>
          {operation.parameters.map((parameter) => {
            const { name, type, required, values } = parameter
            const typed = draft[name] ?? ''
            const error = errorOf(parameter)
            const shown = error !== null && (tried || (error !== 'required' && typed !== ''))
            const choices = type === 'boolean' ? ['true', 'false'] : values
            const frame = {
              label: required ? `${name} *` : name,
              hint: textOf.parameter(parameter),
              error: shown ? t(`operations.${error}`) : name === refused ? refusal?.message : null,
            }
            if (choices)
              return (
                <Select
                  key={name}
                  {...frame}
                  value={typed}
                  onChange={(value) => change(name, value)}
                  options={[
                    ...(required ? [] : [{ value: '', label: t('operations.chosen') }]),
                    ...choices.map((value) => ({
                      value,
                      label:
                        type === 'boolean' ? t(value === 'true' ? 'operations.yes' : 'operations.no') : value,
                    })),
                  ]}
                />
              )
            return (
              <div key={name} className={type === 'uuid' ? styles.wide : undefined}>
                <TextField
                  {...frame}
                  mono={type !== 'string'}
                  inputMode={type === 'integer' ? 'numeric' : type === 'decimal' ? 'decimal' : undefined}
                  value={typed}
                  onChange={(value) => change(name, value)}
                  trailing={
                    type === 'uuid' && lastId !== null && typed !== lastId ? (
                      <Button small variant="quiet" onClick={() => change(name, lastId)}>
                        {t('operations.lastId')}
                      </Button>
                    ) : null
                  }
                />
              </div>
            )
          })}
        </div>
        <Refused refusal={refused ? null : refusal} />
        <div className={styles.buttons}>
          <Button type="submit" variant="primary" icon={<Play />} busy={action.busy}>
            {t('operations.perform')}
          </Button>
          {lastId === null ? null : (
            <span className={styles.about}>
              {t('result.document')} <code>{lastId}</code>
              <CopyButton small text={lastId} label={t('result.copyDocument')} />
            </span>
          )}
        </div>
        {run ? <RunResult run={run} /> : null}
      </form>
    </section>
  )
}
