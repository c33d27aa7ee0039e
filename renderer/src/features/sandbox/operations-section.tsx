import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxOperation } from '#contract/sandbox.ts'
import { Refused } from '@/shared/components/refused.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { ChoiceList } from './choice-list.tsx'
import styles from './emit.module.css'
import { groupOf, OPERATION_GROUPS } from './operation-draft.ts'
import { useOperationDrafts } from './operation-drafts.ts'
import { OperationForm } from './operation-form.tsx'
import { useOperationText } from './operation-text.ts'

/** Every operation of the service, with a form made from its own description. */
export function OperationsSection() {
  const { t } = useTranslation(['sandbox', 'common'])
  const textOf = useOperationText()
  const { name, choose } = useOperationDrafts()
  const [operations, setOperations] = useState<readonly SandboxOperation[] | null>(null)
  const [sought, setSought] = useState('')
  const loading = useAction()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once; the action only reports
  useEffect(() => {
    void loading.run(async () => setOperations((await api.call('sandbox.operations', {})).operations))
  }, [])
  if (!operations)
    return (
      <div className={styles.waiting}>
        {loading.refusal ? <Refused refusal={loading.refusal} /> : <Spinner label={t('common:loading')} />}
      </div>
    )
  const wanted = sought.trim().toLowerCase()
  const found = operations.filter(
    (one) => one.name.includes(wanted) || textOf.summary(one).toLowerCase().includes(wanted),
  )
  const chosen = operations.find((one) => one.name === name) ?? operations[0]
  return (
    <div className={styles.emit}>
      <ChoiceList
        label={t('operations.list')}
        value={chosen?.name ?? null}
        onChange={choose}
        groups={OPERATION_GROUPS.map((group) => ({
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
