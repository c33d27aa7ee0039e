import { Box, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button.tsx'
import { EmptyState } from '@/components/empty-state.tsx'
import { Refused } from '@/components/refused.tsx'
import { useAction } from '@/components/use-action.ts'
import { useSandbox } from '@/stores/sandbox.ts'

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
