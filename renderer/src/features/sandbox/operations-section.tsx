import { Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import type { SandboxOperation } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { ChoiceList } from './choice-list.tsx'
import { FormField, useFields } from './field-form.tsx'
import { describedFields, type Typed } from './fields.ts'
import { useOperationText } from './operation-text.ts'
import { LIST_AND_PANE } from './part.tsx'
import { RunResult } from './run-result.tsx'
import { followRun, useRuns } from './runs.ts'
import styles from './sandbox.module.css'

interface Drafts {
  readonly name: string
  /** By operation, so that nothing typed is lost by looking at another one. */
  readonly drafts: Readonly<Record<string, Typed>>
  /** What the last operation was about. */
  readonly lastId: string | null
}
const useDrafts = create<Drafts>()(() => ({ name: 'create-invoice', drafts: {}, lastId: null }))

const GROUPS = ['documents', 'notes', 'authority', 'contacts', 'products'] as const
const AUTHORITY: readonly string[] = ['submit', 'poll', 'approve', 'reject', 'accept-conditionally']

function groupOf(name: string): (typeof GROUPS)[number] {
  if (AUTHORITY.includes(name)) return 'authority'
  if (/-(customer|supplier)$/.test(name)) return 'contacts'
  if (/-product$/.test(name)) return 'products'
  return /-note$|^edit-(amount|text)$/.test(name) ? 'notes' : 'documents'
}

/** Every operation of the service, with a form made from its own description. */
export function OperationsSection() {
  const { t } = useTranslation(['sandbox', 'common'])
  const { summary } = useOperationText()
  const name = useDrafts((s) => s.name)
  const [operations, setOperations] = useState<readonly SandboxOperation[] | null>(null)
  const [sought, setSought] = useState('')
  const loading = useAction()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once; the action only reports
  useEffect(() => {
    void loading.run(async () => setOperations((await api.call('sandbox.operations', {})).operations))
  }, [])
  if (!operations)
    return (
      <div className="grid place-items-center p-24 text-fg-3">
        {loading.refusal ? <Refused refusal={loading.refusal} /> : <Spinner label={t('common:loading')} />}
      </div>
    )
  const wanted = sought.trim().toLowerCase()
  const found = operations.filter(
    (one) => one.name.includes(wanted) || summary(one).toLowerCase().includes(wanted),
  )
  const chosen = operations.find((one) => one.name === name) ?? operations[0]
  return (
    <div className={LIST_AND_PANE}>
      <ChoiceList
        label={t('operations.list')}
        value={chosen?.name ?? null}
        onChange={(next) => useDrafts.setState({ name: next })}
        groups={GROUPS.map((group) => ({
          id: group,
          name: t(`operations.groups.${group}`),
          choices: found.filter((one) => groupOf(one.name) === group).map((one) => ({ value: one.name })),
        })).filter(({ choices }) => choices.length > 0)}
        sought={sought}
        onSeek={setSought}
        searchLabel={t('operations.search')}
        none={t('operations.none')}
      />
      {chosen ? <OperationForm key={chosen.name} operation={chosen} /> : null}
    </div>
  )
}

/** An operation's own description as a form: the sandbox draws what is left empty. */
function OperationForm({ operation }: { readonly operation: SandboxOperation }) {
  const { t } = useTranslation('sandbox')
  const { name } = operation
  const words = useOperationText()
  const { drafts, lastId } = useDrafts()
  const run = useRuns((s) => s.runs.operation)
  const form = useFields(
    describedFields(operation.parameters),
    {},
    {
      typed: drafts[name] ?? {},
      write: (typed) => useDrafts.setState({ drafts: { ...drafts, [name]: typed } }),
    },
  )
  const perform = () =>
    form.submit(async (params) => {
      const done = await api.call('sandbox.perform', { name, params })
      useDrafts.setState({ lastId: done.id })
      void followRun('operation', {
        runs: [done.run],
        events: done.events.length,
        making: false,
        subject: done.events.at(-1)?.subject ?? null,
      })
    })
  return (
    <section className="min-w-0 min-h-0 overflow-y-auto" aria-label={name}>
      <form
        noValidate
        className="grid grid-cols-1 gap-16 max-w-780 px-18 pt-14 pb-32"
        onSubmit={(event) => {
          event.preventDefault()
          void perform()
        }}
      >
        <div>
          <h2 className="heading-l">{name}</h2>
          <p className="text-fg-2 text-s leading-[1.45]">{words.summary(operation)}</p>
        </div>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(210px,1fr))] gap-x-16 gap-y-12">
          {operation.parameters.map((parameter) => (
            <FormField
              key={parameter.name}
              form={form}
              name={parameter.name}
              label={parameter.required ? `${parameter.name} *` : parameter.name}
              hint={words.parameter(operation, parameter)}
              refused={(refusal) => words.refusal(refusal).message}
              className={parameter.type === 'uuid' ? styles.wide : undefined}
              trailing={
                parameter.type === 'uuid' && lastId !== null && form.typed[parameter.name] !== lastId ? (
                  <Button small variant="quiet" onClick={() => form.set(parameter.name, lastId)}>
                    {t('operations.lastId')}
                  </Button>
                ) : null
              }
            />
          ))}
        </div>
        <Refused refusal={form.refusal && words.refusal(form.refusal)} />
        <div className="flex flex-wrap items-center gap-x-16 gap-y-8">
          <Button type="submit" variant="primary" icon={<Play />} busy={form.action.busy}>
            {t('operations.perform')}
          </Button>
          {lastId === null ? null : (
            <span className="inline-flex items-center gap-6 min-w-0 text-fg-2 text-s wrap-anywhere">
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
