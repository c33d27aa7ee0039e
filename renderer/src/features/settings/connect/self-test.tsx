import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SelfTestMethod } from '#contract/connect.ts'
import { SELF_TEST_METHODS } from '#contract/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { useConnect } from '@/shared/live/layers.ts'
import styles from './connect.module.css'
import { TestResult } from './test-result.tsx'

/** Sends a marked delivery to an address and tells what became of it. */
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
      <p className={styles.text}>{t('test.text')}</p>
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
        {action.busy ? <p className={styles.text}>{t('test.running')}</p> : null}
        {!action.busy && last ? <TestResult test={last} /> : null}
      </div>
      <Refused refusal={action.refusal} />
    </section>
  )
}
