import { Check, CircleHelp, Info, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import { addressProblem } from '#core/connect/reach.ts'
import { isProven } from '#core/connect/test-steps.ts'
import { Button } from '@/shared/components/button.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useConnect } from '@/shared/live/layers.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { TEXT } from '../section.tsx'

const ICONS = {
  good: [Check, 'text-valid'],
  note: [Info, 'text-fg-3'],
  bad: [X, 'text-invalid'],
  unknown: [CircleHelp, 'text-fg-3'],
} as const

interface StepProps {
  readonly state: keyof typeof ICONS
  readonly word: string
  readonly children: ReactNode
}

export function Step({ state, word, children }: StepProps) {
  const [Icon, colour] = ICONS[state]
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)] gap-8 text-fg text-s leading-[1.5]">
      <span className={`relative grid place-items-center w-16 h-18 [&_svg]:size-14 ${colour}`}>
        <Icon aria-hidden="true" />
        <span className="visually-hidden">{word}</span>
      </span>
      <div>{children}</div>
    </li>
  )
}

/**
 * What to check when no delivery arrives, in the order of readings.md (Delivery); the service itself gives no warning. Acuse knows the state of
 * the last two; only the account shows the first three.
 */
export function Checklist({ heading: Heading = 'h3' }: { readonly heading?: 'h2' | 'h3' }) {
  const { t } = useTranslation('connect')
  const refresh = useConnect((s) => s.refresh)
  useEffect(refresh, [refresh])
  return (
    <section className="grid gap-10 pt-16 border-t border-line">
      <Heading className="text-fg text-m font-semibold">{t('check.title')}</Heading>
      <p className={TEXT}>{t('check.text')}</p>
      <ol className="grid gap-8">
        <Item state="unknown" what={t('check.plan', { plan: WEBHOOK_PLAN })} todo={t('check.planDo')} />
        <Item state="unknown" what={t('check.active')} todo={t('check.activeDo')} />
        <Item state="unknown" what={t('check.kind')} todo={t('check.kindDo')} />
        <Reach />
        <Receiver />
      </ol>
    </section>
  )
}

interface ItemProps {
  readonly state: 'good' | 'bad' | 'unknown'
  readonly what: string
  readonly todo: ReactNode
}

function Item({ state, what, todo }: ItemProps) {
  const { t } = useTranslation('connect')
  return (
    <Step state={state} word={t(`check.state.${state}`)}>
      {what}
      <div className="flex flex-wrap items-center gap-x-10 gap-y-4 text-fg-2">{todo}</div>
    </Step>
  )
}

function Reach() {
  const { t } = useTranslation('connect')
  const format = useFormat()
  const { state, shown, open } = useConnect()
  const publicUrl = useSettings((s) => s.settings?.receiver.publicUrl ?? null)
  const problem = publicUrl === null ? null : addressProblem(publicUrl)
  // A test of a local address does not prove that the service can reach it.
  const last = problem !== 'loopback' && state?.last?.url === publicUrl ? state.last : null
  const proven = last ? isProven(last) : null
  return (
    <Item
      state={proven === null ? 'unknown' : proven ? 'good' : 'bad'}
      what={t('check.reach')}
      todo={
        <>
          {last
            ? t(proven ? 'check.reachProven' : 'check.reachFailed', {
                url: last.url,
                when: format.clock(last.at * 1000).slice(0, 5),
              })
            : t(publicUrl === null ? 'check.reachNone' : 'check.reachUntested')}
          {problem === 'loopback' || problem === 'plain' ? ` ${t(problem)}` : null}
          {shown ? null : (
            <Button small onClick={open}>
              {t('check.reachDo')}
            </Button>
          )}
        </>
      }
    />
  )
}

function Receiver() {
  const { t } = useTranslation('connect')
  const receiver = useStatus((s) => s.status?.receiver)
  return receiver?.state === 'listening' ? (
    <Item state="good" what={t('check.receiver')} todo={t('check.receiverOn', { url: receiver.url })} />
  ) : (
    <Item state="bad" what={t('check.receiver')} todo={t('check.receiverOff')} />
  )
}
