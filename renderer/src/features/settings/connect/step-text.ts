import { useTranslation } from 'react-i18next'
import type { ConnectTest } from '#contract/connect.ts'
import type { TestStep } from '#core/connect/test-steps.ts'
import { useFormat } from '@/shared/i18n/format.ts'

/** Reasons for which a certificate is refused that have words of their own. */
const CERTIFICATE = [
  ...(['self-signed', 'unknown-issuer', 'expired', 'not-yet-valid', 'revoked', 'wrong-name'] as const),
]

/** @returns the sentence for a step of this test */
export function useStepText(test: ConnectTest): (step: TestStep) => string {
  const { t } = useTranslation(['connect', 'replays'])
  const format = useFormat()
  const duration = (ms: number) => format.duration(ms * 1000)
  return (step) => {
    switch (step.step) {
      case 'lookup':
      case 'tls':
        return t(`step.${step.step}`, { took: duration(step.ms) })
      case 'connect':
        return t('step.connect', { address: step.address, took: duration(step.ms) })
      case 'certificate': {
        const reason = CERTIFICATE.find((one) => one === step.reason)
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
        const came = t('step.arrived', { after: duration(afterMs), endpoint })
        return rejected ? `${came} ${t('step.rejected')}` : came
      }
      case 'answer':
        return t('step.answer', { status: step.status, ours: step.ours })
      case 'changes':
        return t(`step.changes.${step.state}`)
    }
  }
}
