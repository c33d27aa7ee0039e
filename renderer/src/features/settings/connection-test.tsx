import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionTest, SyncRoute } from '#contract/reconcile.ts'
import { SYNC_ROUTES } from '#contract/values.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Code } from '@/shared/components/captured.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Definitions } from '@/shared/components/figures.tsx'
import { FormChoice } from '@/shared/components/form-dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { MAPPED_FIELDS } from './connection-form.ts'
import { GRIDDED } from './section.tsx'

interface ConnectionTestDialogProps {
  readonly name: string
  readonly onClose: () => void
}

export function ConnectionTestDialog({ name, onClose }: ConnectionTestDialogProps) {
  const { t } = useTranslation(['settings', 'common'])
  const action = useAction()
  const [route, setRoute] = useState<SyncRoute>('accounting')
  const [result, setResult] = useState<ConnectionTest | null>(null)
  const test = () =>
    void action.run(async () => {
      setResult(null)
      setResult(await api.call('connections.test', { name, route }))
    })
  return (
    <Dialog
      onClose={onClose}
      width={620}
      title={t('connections.testTitle', { name })}
      description={t('connections.testText')}
      onSubmit={test}
      footer={
        <>
          <Button onClick={onClose}>{t('common:close')}</Button>
          <Button type="submit" variant="primary" busy={action.busy}>
            {t('connections.testNow')}
          </Button>
        </>
      }
    >
      <div className={`grid grid-cols-1 gap-14 ${GRIDDED}`}>
        <FormChoice<SyncRoute>
          label={t('connections.route')}
          value={route}
          onChange={setRoute}
          segments={SYNC_ROUTES.map((value) => ({ value, label: `${value}-sync` }))}
        />
        <Refused refusal={action.refusal} />
        {result ? <TestResult result={result} /> : null}
      </div>
    </Dialog>
  )
}

/** What the service answered, and where its values were found. */
export function TestResult({ result }: { readonly result: ConnectionTest }) {
  const { t } = useTranslation('settings')
  const { ok, status, items, mapping, sample, message } = result
  const came = [
    status === null ? t('connections.testNoAnswer') : t('connections.testStatus', { status }),
    items !== null && t('connections.testItems', { count: items }),
    items === null && status !== null && ok && t('connections.testNoPage'),
  ].filter(Boolean)
  return (
    <>
      <Banner
        tone={ok ? 'info' : 'error'}
        title={t(ok ? 'connections.testOk' : 'connections.testFailed')}
        inset
      >
        {came.join(' ')} {message}
      </Banner>
      {mapping ? (
        <section>
          <h3 className="mb-6 heading-s">{t('connections.testMapping')}</h3>
          <Definitions
            of={MAPPED_FIELDS.map((field) => [
              t(`connections.${field}`),
              mapping[field] === null ? t('connections.notFound') : <code key={field}>{mapping[field]}</code>,
            ])}
          />
        </section>
      ) : null}
      {sample === null ? null : (
        <section>
          <h3 className="mb-6 heading-s">{t(ok ? 'connections.testSample' : 'connections.testBody')}</h3>
          <Code text={sample} copyLabel={t('connections.copySample')} wrap />
        </section>
      )}
    </>
  )
}
