import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Params } from '#contract/commands.ts'
import type { SandboxLaboratory } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SectionCard } from '@/shared/components/section-card.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { FaultRow } from './fault-row.tsx'
import styles from './laboratory.module.css'
import { FAULTS, isSeed, laboratoryOn } from './laboratory-draft.ts'
import { Part } from './part.tsx'
import common from './sandbox.module.css'
import { useSandbox } from './sandbox.ts'
import { SyncCard } from './sync-card.tsx'

type Change = Params<'sandbox.set-laboratory'>

/** While a slider is drawn along, the sandbox is told at most this often. */
const PAUSE_MS = 150

/** What is done beyond the real service. Every change takes effect at once: there is nothing to save, and nothing half on. */
export function LaboratorySection() {
  const present = useSandbox((s) => s.state?.laboratory)
  if (!present) return null
  return <Laboratory present={present} />
}

function Laboratory({ present }: { readonly present: SandboxLaboratory }) {
  const { t } = useTranslation('sandbox')
  const receive = useSandbox((s) => s.receiveLaboratory)
  const action = useAction()
  const [draft, setDraft] = useState(present)
  const waiting = useRef<Change>({})
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [seed, setSeed] = useState<number | null>(present.seed)

  // The host's word replaces the draft, unless a change of ours is still on its way to it.
  useEffect(() => {
    if (timer.current === undefined) setDraft(present)
  }, [present])
  const flush = useCallback(async () => {
    clearTimeout(timer.current)
    timer.current = undefined
    const change = waiting.current
    waiting.current = {}
    if (Object.keys(change).length === 0) return
    const done = await action.run(async () => receive(await api.call('sandbox.set-laboratory', change)))
    if (!done) setDraft(useSandbox.getState().state?.laboratory ?? present)
  }, [action, receive, present])
  const latest = useRef(flush)
  latest.current = flush
  // What was drawn along last must not be lost with the part.
  useEffect(() => () => void latest.current(), [])

  const change = <K extends Exclude<keyof SandboxLaboratory, 'seed'>>(
    part: K,
    members: Partial<SandboxLaboratory[K]>,
  ) => {
    setDraft((before) => ({ ...before, [part]: { ...before[part], ...members } }))
    waiting.current = { ...waiting.current, [part]: { ...waiting.current[part], ...members } }
    timer.current ??= setTimeout(() => void latest.current(), PAUSE_MS)
  }
  const clear = () =>
    action.run(async () => {
      const cleared = await api.call('sandbox.clear-laboratory', {})
      receive(cleared)
      setDraft(cleared)
      setSeed(cleared.seed)
    })
  return (
    <Part
      title={t('laboratory.title')}
      lead={t('laboratory.lead')}
      actions={
        <>
          <Tag tone="warning">{t('laboratory.beyond')}</Tag>
          <span className={common.spacer} />
          <Button disabled={!laboratoryOn(draft)} onClick={() => void clear()}>
            {t('laboratory.clear')}
          </Button>
        </>
      }
    >
      <Refused refusal={action.refusal} />
      <SectionCard level={3} title={t('laboratory.deliveries')}>
        {FAULTS.map((name) => (
          <FaultRow key={name} name={name} laboratory={draft} onChange={change} />
        ))}
        <div className={styles.seed}>
          <NumberField
            label={t('laboratory.seed')}
            hint={t('laboratory.seedHint')}
            value={seed}
            max={0xffff_ffff}
            error={isSeed(seed) ? null : t('scenarios.seedError')}
            onChange={(next) => {
              setSeed(next)
              if (!isSeed(next)) return
              waiting.current = { ...waiting.current, seed: next }
              timer.current ??= setTimeout(() => void latest.current(), PAUSE_MS)
            }}
          />
        </div>
      </SectionCard>
      <SyncCard sync={draft.sync} onChange={(members) => change('sync', members)} />
    </Part>
  )
}
