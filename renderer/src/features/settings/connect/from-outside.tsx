import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReceiverState } from '#contract/status.ts'
import { addressProblem, TUNNELS, type Tunnel, tunnelCommand } from '#core/connect/reach.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Code } from '@/shared/components/captured.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useSettings } from '@/shared/live/settings.ts'
import styles from './connect.module.css'
import { SelfTest } from './self-test.tsx'

export interface FromOutsideProps {
  readonly receiver: Extract<ReceiverState, { state: 'listening' }>
  readonly publicUrl: string | null
}

/** A way in, its address, the proof: in the order in which a person does them. */
export function FromOutside({ receiver, publicUrl }: FromOutsideProps) {
  const { t } = useTranslation('connect')
  const [tunnel, setTunnel] = useState<Tunnel>('cloudflared')
  return (
    <>
      <section className="grid gap-10 min-w-0 [&_h3]:text-fg [&_h3]:text-m [&_h3]:font-semibold">
        <h3>{t('outside.way')}</h3>
        <div className="flex flex-wrap items-center gap-x-12 gap-y-8 text-fg-2 text-s">
          <SegmentedControl<Tunnel>
            label={t('outside.way')}
            value={tunnel}
            onChange={setTunnel}
            segments={TUNNELS.map((value) => ({ value, label: value === 'ssh' ? 'ssh -R' : value }))}
          />
        </div>
        <Code text={tunnelCommand(tunnel, receiver)} copyLabel={t('outside.copyCommand')} wrap />
        <p className={styles.text}>{t(`outside.hint.${tunnel}`)}</p>
      </section>
      <PublicAddress publicUrl={publicUrl} />
      {publicUrl === null ? null : <SelfTest url={publicUrl} />}
    </>
  )
}

function PublicAddress({ publicUrl }: { readonly publicUrl: string | null }) {
  const { t } = useTranslation(['connect', 'common'])
  const update = useSettings((s) => s.update)
  const action = useAction()
  const [text, setText] = useState(publicUrl ?? '')
  const [tried, setTried] = useState(false)
  const typed = text.trim()
  const problem = typed === '' ? null : addressProblem(typed)
  const unusable = problem === 'invalid' || problem === 'credentials'
  const save = () => {
    setTried(true)
    if (unusable) return
    void action.run(() => update({ receiver: { publicUrl: typed === '' ? null : typed } }))
  }
  return (
    <form
      noValidate
      className="grid gap-10 min-w-0 [&_h3]:text-fg [&_h3]:text-m [&_h3]:font-semibold"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <h3>{t('outside.address')}</h3>
      <div className="flex items-start gap-10 [&>button]:mt-19">
        <TextField
          label={t('outside.public')}
          mono
          className={styles.wide}
          placeholder="https://…"
          value={text}
          onChange={setText}
          error={tried && unusable ? t(`problem.${problem}`) : null}
          hint={t('outside.publicHint')}
        />
        {typed === (publicUrl ?? '') ? (
          publicUrl !== null && (
            <CopyButton text={publicUrl} label={t('copyUrl', { url: publicUrl })}>
              {t('common:copy')}
            </CopyButton>
          )
        ) : (
          <Button type="submit" variant="primary" busy={action.busy}>
            {t('outside.save')}
          </Button>
        )}
      </div>
      {problem === 'loopback' || problem === 'plain' ? (
        <Banner tone="warning" inset>
          {t(problem)}
        </Banner>
      ) : null}
      <Refused refusal={action.refusal} />
    </form>
  )
}
