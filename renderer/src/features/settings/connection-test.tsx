import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAPPED_FIELDS } from '#contract/connection.ts'
import type { ConnectionTest, SyncRoute } from '#contract/reconcile.ts'
import { SYNC_ROUTES } from '#contract/values.ts'
import { useProblemText } from '@/shared/attempts/attempt-words.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Code } from '@/shared/components/captured.tsx'
import { Definitions } from '@/shared/components/figures.tsx'
import { FormChoice, FormDialog } from '@/shared/components/form-dialog.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'

export function ConnectionTestDialog(props: { readonly name: string; readonly onClose: () => void }) {
  const { name, onClose } = props
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
    <FormDialog
      width={620}
      title={t('connections.testTitle', { name })}
      description={t('connections.testText')}
      action={t('connections.testNow')}
      cancel={t('common:close')}
      busy={action.busy}
      refusal={action.refusal}
      onSubmit={test}
      onClose={onClose}
    >
      <FormChoice<SyncRoute>
        label={t('connections.route')}
        value={route}
        onChange={setRoute}
        segments={SYNC_ROUTES.map((value) => ({ value, label: `${value}-sync` }))}
      />
      {result ? <TestResult result={result} /> : null}
    </FormDialog>
  )
}

/** The service's answers, and where Acuse found the values in them. */
export function TestResult({ result }: { readonly result: ConnectionTest }) {
  const { t } = useTranslation(['settings', 'reconcile'])
  const problemText = useProblemText()
  const { ok, status, items, mapping, sample, problem } = result
  const lacking = MAPPED_FIELDS.filter((field) => mapping?.[field] === null)
  const joins = mapping !== null && (mapping.documentId !== null || mapping.number !== null)
  const came = problem
    ? [t(`reconcile:problem.${problem.code}`), problemText(problem)]
    : [
        t('connections.testStatus', { status }),
        t('connections.testItems', { count: items ?? 0 }),
        mapping === null && t('connections.testEmpty'),
        lacking.length > 0 && t(joins ? 'connections.testLacks' : 'connections.testLacksKey'),
      ]
  return (
    <>
      <Banner
        tone={ok ? 'info' : 'error'}
        title={t(ok ? 'connections.testOk' : 'connections.testFailed')}
        inset
      >
        {came.filter(Boolean).join(' ')}
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
