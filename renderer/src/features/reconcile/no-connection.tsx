import { Columns2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useRoute } from '@/shared/live/route.ts'
import { connectSandbox } from './connect-sandbox.ts'

/** There is nothing to compare with: an account of the service is added, or the sandbox stands in for one. */
export function NoConnection() {
  const { t } = useTranslation('reconcile')
  const go = useRoute((s) => s.go)
  const action = useAction()
  return (
    <EmptyState
      icon={<Columns2 />}
      title={t('empty.title')}
      actions={
        <>
          <Button variant="primary" onClick={() => go('settings', 'connections')}>
            {t('empty.action')}
          </Button>
          <Button busy={action.busy} onClick={() => void action.run(connectSandbox)}>
            {t('empty.sandbox')}
          </Button>
        </>
      }
    >
      {t('empty.text')}
      <Refused refusal={action.refusal} />
    </EmptyState>
  )
}
