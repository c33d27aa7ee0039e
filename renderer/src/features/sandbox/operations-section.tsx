import type { TFunction } from 'i18next'
import { Play } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import { readTimestamp } from '#catalog/date-time.ts'
import type { SandboxOperation } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { ChoiceList } from '@/shared/components/choice-list.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import type { Look } from '@/shared/forms/control.tsx'
import type { Form } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { LIST_AND_PANE } from './part.tsx'
import { RunResult, useSandboxText } from './run-result.tsx'
import { followRun, useRuns } from './sandbox.ts'

export type Parameter = SandboxOperation['parameters'][number]
/** Typed value of each parameter; null: not a number. */
type Arguments = Readonly<Record<string, string | number | null>>

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const isNumber = ({ type, values }: Pick<Parameter, 'type' | 'values'>): boolean =>
  (type === 'integer' || type === 'decimal') && !values

/** Error in the shape of a value; null: none. The sandbox checks again. */
export function fieldError(
  parameter: Omit<Parameter, 'name' | 'summary'>,
  value: string | number | null,
  t: TFunction<['sandbox', 'components']>,
): string | null {
  const { type, required, minimum: least = 0, maximum: most = 999_999_999.99, maxLength = 1_000 } = parameter
  const text = String(value ?? '').trim()
  const number = isNumber(parameter)
  if (text === '' && !(required && number)) return required ? t('fields.required') : null
  if (number) {
    const typed = text === '' ? Number.NaN : Number(value)
    const exact = type === 'integer' ? Number.isInteger(typed) : Math.round(typed * 100) / 100 === typed
    if (exact && typed >= least && typed <= most) return null
    return t(`components:numbers.${type === 'integer' ? 'whole' : 'decimal'}`, { least, most })
  }
  if (type === 'uuid' && !UUID.test(text)) return t('fields.uuid')
  if (type === 'date-time' && !('instant' in readTimestamp(text))) return t('fields.date-time')
  if (text.length > maxLength) return t('fields.long', { most: maxLength, length: text.length })
  // NUL, and lone surrogates, which UTF-8 cannot encode.
  const odd = /[\0\p{Cs}]/u.exec(text)
  return odd && t('fields.character', { at: [...text.slice(0, odd.index)].length + 1 })
}

/** Arguments of the sandbox's call; without empty fields. */
export function argumentsOf(parameters: readonly Parameter[], typed: Arguments): Record<string, unknown> {
  const given = parameters.filter(({ name }) => String(typed[name] ?? '').trim() !== '')
  return Object.fromEntries(
    given.map(({ name, type }) => {
      const value = typed[name]
      if (type === 'integer' || type === 'decimal') return [name, Number(value)]
      if (typeof value !== 'string' || type === 'string') return [name, value]
      return [name, type === 'boolean' ? value === 'true' : value.trim()]
    }),
  )
}

interface Drafts {
  readonly name: string
  /** By operation, so that switching between operations loses no input. */
  readonly drafts: Readonly<Record<string, Arguments>>
  readonly lastId: string | null
}
const useDrafts = create<Drafts>()(() => ({ name: 'create-invoice', drafts: {}, lastId: null }))

export function OperationsSection() {
  const { t } = useTranslation('sandbox')
  const { operation: summary } = useSandboxText()
  const name = useDrafts((s) => s.name)
  const { data, refusal } = useAnswer('operations', () => api.call('sandbox.operations', {}))
  if (!data) return <div className="p-24">{refusal ? <Refused refusal={refusal} /> : <Loading />}</div>
  const selected = data.operations.find((one) => one.name === name) ?? data.operations[0]
  return (
    <div className={LIST_AND_PANE}>
      <ChoiceList
        label={t('operations.list')}
        selected={selected?.name ?? null}
        onChange={(next) => useDrafts.setState({ name: next })}
        groups={(sought) => {
          const found = data.operations.filter((one) =>
            `${one.name} ${summary(one)}`.toLowerCase().includes(sought),
          )
          return [...Map.groupBy(found, ({ group }) => group)].map(([id, of]) => ({
            id,
            name: t(`operations.groups.${id}`),
            options: of.map(({ name: value }) => ({ value, content: value })),
          }))
        }}
        searchLabel={t('operations.search')}
        none={t('operations.none')}
      />
      {selected ? <OperationForm key={selected.name} operation={selected} /> : null}
    </div>
  )
}

/** A form generated from an operation's description; the sandbox generates values for empty fields. */
function OperationForm({ operation }: { readonly operation: SandboxOperation }) {
  const { t } = useTranslation(['sandbox', 'components'])
  const { name, parameters } = operation
  const { said, operation: summary } = useSandboxText()
  const refusalText = useRefusalText()
  const { drafts, lastId } = useDrafts()
  const run = useRuns((s) => s.runs.operation)
  const empty = Object.fromEntries(parameters.map((one) => [one.name, isNumber(one) ? null : '']))
  const lookOf = (one: Parameter, params: Arguments): Look => {
    const { type, required } = one
    const values =
      type === 'boolean'
        ? (['yes', 'no'] as const).map((word) => ({
            value: String(word === 'yes'),
            label: t(`operations.${word}`),
          }))
        : one.values?.map((value) => ({ value, label: value }))
    const random = required ? [] : [{ value: '', label: t('operations.chosen') }]
    return {
      label: required ? `${one.name} *` : one.name,
      hint: said('parameters', `${name}.${one.name}`) ?? said('parameters', one.name) ?? one.summary,
      ...(values ? { options: [...random, ...values] } : {}),
      optional: !required,
      decimals: type === 'decimal' ? 2 : 0,
      className: type === 'uuid' ? 'col-span-2 max-[820px]:col-span-full' : undefined,
      trailing:
        type === 'uuid' && lastId !== null && params[one.name] !== lastId ? (
          <Button
            small
            variant="quiet"
            onClick={() => form.change({ params: { ...params, [one.name]: lastId } })}
          >
            {t('operations.lastId')}
          </Button>
        ) : null,
    }
  }
  const form = useForm({
    form: (): Form<'sandbox.perform', { readonly params: Arguments }> => ({
      command: 'sandbox.perform',
      first: { params: { ...empty, ...drafts[name] } },
      params: ({ params }) => ({ name, params: argumentsOf(parameters, params) }),
      *own({ params }) {
        for (const one of parameters) {
          const error = fieldError(one, params[one.name] ?? null, t)
          if (error !== null) yield [`params.${one.name}`, error]
        }
      },
      refused: (refusal) => {
        const path = String(refusal.details?.path)
        return path in empty ? [`params.${path}`, refusalText(refusal)] : undefined
      },
    }),
    look: ({ params }) =>
      Object.fromEntries(parameters.map((one) => [`params.${one.name}`, lookOf(one, params)])),
    onSaved: ({ id, run, events }) => {
      useDrafts.setState({ lastId: id })
      void followRun('operation', {
        runs: [run],
        events: events.length,
        subject: events.at(-1)?.subject ?? null,
      })
    },
  })
  const { params } = form.draft
  useEffect(() => {
    useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [name]: params } }))
  }, [name, params])
  return (
    <section className="min-w-0 min-h-0 overflow-y-auto" aria-label={name}>
      <form {...form.bind} className="grid grid-cols-1 gap-16 max-w-780 px-18 pt-14 pb-32">
        <div>
          <h2 className="heading-l">{name}</h2>
          <p className="text-fg-2 text-s leading-[1.45]">{summary(operation)}</p>
        </div>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(210px,1fr))] gap-x-16 gap-y-12">
          {form.fields(...parameters.map((one) => `params.${one.name}` as const))}
        </div>
        <Refused refusal={form.dialog.refusal} />
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
