import { Box, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useSandbox } from './sandbox.ts'

/** Before it runs: what it is, and how to start it. */
export function OffState() {
  const { t } = useTranslation('sandbox')
  const start = useSandbox((s) => s.start)
  const action = useAction()
  return (
    <EmptyState
      icon={<Box />}
      title={t('off.title')}
      actions={
        <Button variant="primary" icon={<Play />} busy={action.busy} onClick={() => void action.run(start)}>
          {t('off.action')}
        </Button>
      }
    >
      {t('off.text')}
      <Refused refusal={action.refusal} />
    </EmptyState>
  )
}
