import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Fault } from '#contract/faults.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { removed } from '@/shared/live/removed.ts'
import { ruleOf } from './fault-rule.ts'
import { useFaultTexts } from './fault-words.ts'
import styles from './settings.module.css'

/** Fault rules in force, each with a button that ends it. The status tells of the change. */
export function FaultList({ faults }: { readonly faults: readonly Fault[] }) {
  const { t } = useTranslation('settings')
  const texts = useFaultTexts()
  const action = useAction()
  const end = async (fault: Fault, effect: string) => {
    if (await action.run(() => api.call('faults.remove', { id: fault.id })))
      await removed('fault', { name: effect }, () => api.call('faults.add', ruleOf(fault)))
  }
  return (
    <>
      <Refused refusal={action.refusal} />
      <ul className={styles.list}>
        {faults.map((fault) => {
          const { effect, when } = texts(fault)
          return (
            <li key={fault.id} className={styles.item}>
              <div className={styles.itemHead}>
                <b>{effect}</b>
                <span className={styles.spacer} />
                <IconButton
                  small
                  label={t('faults.end', { effect })}
                  icon={<X />}
                  onClick={() => void end(fault, effect)}
                />
              </div>
              <p className={styles.facts}>
                {when.map((words) => (
                  <span key={words}>{words}</span>
                ))}
              </p>
            </li>
          )
        })}
      </ul>
    </>
  )
}
