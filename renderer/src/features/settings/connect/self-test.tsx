import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectChange, ConnectTest, SelfTestMethod } from '#contract/connect.ts'
import { SELF_TEST_METHODS, TLS_REASONS } from '#contract/values.ts'
import { isProven, type TestStep, testSteps } from '#core/connect/test-steps.ts'
import { useAttemptErrorText } from '@/shared/attempts/attempt-words.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { useConnect } from '@/shared/live/layers.ts'
import { TEXT } from '../section.tsx'
import { Step } from './checklist.tsx'

function useStepText(test: ConnectTest): (step: TestStep) => string {
  const { t } = useTranslation(['connect', 'replays'])
  return (step) => {
    switch (step.step) {
      case 'lookup':
      case 'tls':
        return t(`step.${step.step}`, { took: step.ms * 1_000 })
      case 'connect':
        return t('step.connect', { address: step.address, took: step.ms * 1_000 })
      case 'certificate': {
        const reason = TLS_REASONS.find((one) => one === step.reason)
        return t('step.certificate', { reason: reason ? t(`replays:tlsReasons.${reason}`) : step.reason })
      }
      case 'elsewhere': {
        const { status = 0, server, location, hint } = test.answer ?? {}
        const who = t('step.elsewhere', { status, server: server ?? t('step.nameless') })
        return `${who} ${t(`hint.${hint ?? 'other-server'}`, { location: location ?? '' })}`
      }
      case 'failed':
        return test.error?.message ?? ''
      case 'missing':
        return t('step.missing')
      case 'arrived': {
        const { afterMs = 0, endpoint = '', rejected } = test.arrival ?? {}
        const came = t('step.arrived', { after: afterMs * 1_000, endpoint })
        return rejected ? `${came} ${t('step.rejected')}` : came
      }
      case 'answer':
        return t('step.answer', { status: step.status, ours: step.ours })
      case 'changes':
        return t(`step.changes.${step.state}`)
    }
  }
}

/** Limit of shown characters of a header's value. */
const SHOWN = 160

function TestResult({ test }: { readonly test: ConnectTest }) {
  const { t } = useTranslation('connect')
  const format = useFormat()
  const stepText = useStepText(test)
  const errorText = useAttemptErrorText()
  const close = useConnect((s) => s.close)
  const id = test.arrival?.id ?? null
  const proven = isProven(test)
  const title = proven ? 'proven' : test.outcome === 'arrived' ? 'flawed' : test.outcome
  return (
    <>
      <Banner tone={proven ? 'info' : 'error'} inset title={t(`test.outcome.${title}`)}>
        {t('test.sent', { method: test.method, time: format.clock(test.at * 1000).slice(0, 8) })}
      </Banner>
      <ol className="grid gap-8">
        {testSteps(test).map((step) => (
          <Step key={step.step} state={step.state} word={t(`test.state.${step.state}`)}>
            {step.step === 'failed' && test.error ? errorText(test.error) : stepText(step)}
            {step.step === 'elsewhere' && test.answer && test.answer.text !== '' ? (
              <code className="text-fg-2 text-s wrap-anywhere block mt-2">
                <Captured text={test.answer.text} most={SHOWN} />
              </code>
            ) : null}
            {step.step === 'changes' ? <Changes step={step} /> : null}
          </Step>
        ))}
      </ol>
      {id === null ? null : (
        <div>
          <Button
            small
            onClick={() => {
              close()
              void openDelivery(id, null)
            }}
          >
            {t('test.open')}
          </Button>
        </div>
      )}
    </>
  )
}

function Changes({ step }: { readonly step: Extract<TestStep, { step: 'changes' }> }) {
  const { t } = useTranslation('connect')
  if (step.changes.length === 0) return null
  const words = (change: ConnectChange): string => {
    if (change.part === 'body') return t('change.body', change)
    if (change.part === 'header') return t(`change.${change.how}`, { name: change.name })
    return t(`change.${change.part}`)
  }
  const values = (change: ConnectChange) => (change.part === 'body' ? [] : [change.sent, change.arrived])
  return (
    <ul className="grid gap-3 mt-4 pl-14 text-fg-2 [&_code]:text-fg-2 [&_code]:text-s [&_code]:wrap-anywhere">
      {step.changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a result never changes
        <li key={index}>
          {words(change)}{' '}
          {values(change)
            .filter((value) => value !== null)
            .map((value, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: before and after
              <span key={place}>
                {place > 0 ? ' → ' : ''}
                <code>
                  <Captured text={value} most={SHOWN} />
                </code>
              </span>
            ))}
        </li>
      ))}
    </ul>
  )
}

export function SelfTest({ url }: { readonly url: string }) {
  const { t } = useTranslation('connect')
  const heading = useId()
  const { state, tested } = useConnect()
  const action = useAction()
  const [method, setMethod] = useState<SelfTestMethod>('POST')
  const last = state?.last?.url === url ? state.last : null
  const run = () => void action.run(async () => tested(await api.call('connect.test', { url, method })))
  return (
    <section
      className="grid gap-10 min-w-0 [&_h3]:text-fg [&_h3]:text-m [&_h3]:font-semibold"
      aria-labelledby={heading}
    >
      <h3 id={heading}>{t('test.title')}</h3>
      <p className={TEXT}>{t('test.text')}</p>
      <div className="flex flex-wrap items-center gap-x-12 gap-y-8 text-fg-2 text-s">
        <SegmentedControl<SelfTestMethod>
          label={t('test.method')}
          value={method}
          onChange={setMethod}
          segments={SELF_TEST_METHODS.map((value) => ({ value, label: value }))}
        />
        <Button variant="primary" busy={action.busy} onClick={run}>
          {t('test.run')}
        </Button>
      </div>
      <div role="status" className="grid gap-10 min-w-0 empty:hidden">
        {action.busy ? <p className={TEXT}>{t('test.running')}</p> : null}
        {!action.busy && last ? <TestResult test={last} /> : null}
      </div>
      <Refused refusal={action.refusal} />
    </section>
  )
}
