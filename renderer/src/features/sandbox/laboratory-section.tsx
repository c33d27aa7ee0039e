import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxLaboratory } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Refused } from '@/shared/components/refused.tsx'
import { SectionCard } from '@/shared/components/section-card.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import type { Look } from '@/shared/forms/control.tsx'
import { type Form, type Typed, withValue } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api } from '@/shared/live/api.ts'
import { KindsButton } from './kinds-picker.tsx'
import { Lamp, Part } from './part.tsx'
import { FAULTS, laboratoryOn, receiveLaboratory, useSandbox } from './sandbox.ts'

/** Members of a sync answer, with the faults to which each applies; null: all. */
const SYNC = [
  ['fault', null],
  ['share', ['error-500', 'error-429', 'slow', 'truncated']],
  ['retryAfterSeconds', ['error-429']],
  ['slowMs', ['slow']],
  ['casing', null],
  ['nesting', null],
  ['order', null],
  ['reduce', null],
] as const satisfies readonly [keyof SandboxLaboratory['sync'], readonly string[] | null][]

const TIMES = {
  lose: [],
  duplicate: [],
  cut: [],
  delay: ['delay.leastMs', 'delay.mostMs'],
  reorder: ['reorder.holdMs'],
} as const

/** Settings beyond the real service. Every change takes effect immediately, without a save. */
export function LaboratorySection() {
  const present = useSandbox((s) => s.state?.laboratory)
  return present ? <Laboratory present={present} /> : null
}

function Laboratory({ present }: { readonly present: SandboxLaboratory }) {
  const { t } = useTranslation('sandbox')
  const action = useAction()
  const waiting = useRef<Readonly<Record<string, unknown>>>({})
  const sending = useRef(false)
  /** Sends the changes. Changes made before the answer are sent together after it. */
  const send = async () => {
    if (sending.current) return
    sending.current = true
    while (Object.keys(waiting.current).length > 0) {
      const change = waiting.current
      waiting.current = {}
      const done = await action.run(async () =>
        receiveLaboratory(await api.call('sandbox.set-laboratory', change)),
      )
      if (!done) reset()
    }
    sending.current = false
  }
  const { draft, draw, set, reset } = useForm({
    form: (): Form<'sandbox.set-laboratory', Typed<SandboxLaboratory>> => ({
      command: 'sandbox.set-laboratory',
      first: present,
      params: (changed) => changed,
    }),
    texts: ['sandbox', 'laboratory'],
    look: () => ({
      ...Object.fromEntries(
        FAULTS.map((name): [string, Look] => [
          `${name}.share`,
          { share: true, hideLabel: true, label: t('laboratory.shareOf', { what: t(`laboratory.${name}`) }) },
        ]),
      ),
      'sync.share': { share: true },
      'sync.nesting': { select: true },
      'sync.order': { select: true },
      'sync.reduce': { select: true },
    }),
    onChange: (field, value) => {
      waiting.current = withValue(waiting.current, field, value)
      void send()
    },
    atOnce: true,
    follow: !sending.current,
  })
  const clear = () =>
    action.run(async () => receiveLaboratory(await api.call('sandbox.clear-laboratory', {})))
  return (
    <Part
      name="laboratory"
      actions={
        <>
          <Tag tone="warning">{t('laboratory.beyond')}</Tag>
          <Button disabled={!laboratoryOn(present)} onClick={() => void clear()}>
            {t('laboratory.clear')}
          </Button>
        </>
      }
    >
      <Refused refusal={action.refusal} />
      <SectionCard level={3} title={t('laboratory.deliveries')}>
        {FAULTS.map((name) => {
          const title = t(`laboratory.${name}`)
          const on = draft[name].share !== 0
          return (
            <fieldset
              key={name}
              className={cx(
                'grid grid-cols-[minmax(0,5fr)_minmax(220px,5fr)_152px] gap-x-20 gap-y-6 items-start min-w-0 m-0',
                'px-0 pt-12 pb-0 border-0 border-t border-line-soft',
                'max-[900px]:grid-cols-1',
              )}
              aria-label={title}
            >
              <div>
                <b className="flex items-center gap-7 font-medium">
                  <Lamp on={on ? 'warning' : null} />
                  {title}
                </b>
                <p className="text-fg-2 text-s leading-[1.45]">{t(`laboratory.${name}Text`)}</p>
              </div>
              <div className="grid gap-8">
                {draw(`${name}.share`)}
                <div className="grid grid-cols-[repeat(auto-fit,minmax(110px,1fr))] gap-10 empty:hidden">
                  {on ? TIMES[name].map((field) => <div key={field}>{draw(field)}</div>) : null}
                </div>
              </div>
              <div className="justify-self-end max-[900px]:justify-self-start">
                <KindsButton
                  label={t('laboratory.kindsOf', { what: title })}
                  value={draft[name].kinds}
                  onChange={(kinds) => set(`${name}.kinds`, kinds)}
                />
              </div>
            </fieldset>
          )
        })}
        <div className="pt-12 border-t border-line-soft [&>*]:max-w-200 [&_[id$=-note]]:whitespace-nowrap">
          {draw('seed')}
        </div>
      </SectionCard>
      <SectionCard level={3} title={t('laboratory.sync')}>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] items-start gap-x-20 gap-y-12">
          {SYNC.map(([name, faults]) =>
            faults?.some((fault) => fault === draft.sync.fault) === false ? null : (
              <div key={name}>{draw(`sync.${name}`)}</div>
            ),
          )}
        </div>
      </SectionCard>
    </Part>
  )
}
