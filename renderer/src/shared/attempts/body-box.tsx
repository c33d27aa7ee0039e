import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type BodySource,
  closeBody,
  type FailedBody,
  isOpen,
  type OpenBody,
  openBody,
} from '@/shared/body/open-body.ts'
import { PartialNotice } from '@/shared/body/partial-notice.tsx'
import type { BodyView } from '@/shared/body/protocol.ts'
import { RawView } from '@/shared/body/raw-view.tsx'
import { useWhole } from '@/shared/body/use-whole.ts'
import { cx } from '@/shared/components/cx.ts'
import { Spinner } from '@/shared/components/spinner.tsx'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import styles from './attempts.module.css'

/** A body in a box of its own, in the views of the Raw tab. */
export function BodyBox({ source }: { readonly source: BodySource }) {
  const { t } = useTranslation('common')
  const [begun, setBegun] = useState<OpenBody | FailedBody | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the source
  useEffect(() => {
    let current = true
    let opened: OpenBody | FailedBody | undefined
    void openBody(source)
      .catch((error: unknown): FailedBody => ({ source, problem: refusalOf(error).message }))
      .then((body) => {
        opened = body
        if (current) setBegun(body)
        else closeBody(body)
      })
    return () => {
      current = false
      closeBody(opened)
    }
  }, [source.key])
  return (
    <div className={cx(styles.body, 'flex h-240 mx-14 mt-4 overflow-hidden border border-line rounded')}>
      {begun?.source.key === source.key ? (
        <Opened begun={begun} />
      ) : (
        <div className={styles.waiting}>
          <Spinner label={t('loading')} />
        </div>
      )}
    </div>
  )
}

function Opened({ begun }: { readonly begun: OpenBody | FailedBody }) {
  const whole = useWhole(begun)
  const [chosen, setChosen] = useState<BodyView | null>(null)
  const { body } = whole
  if (!isOpen(body)) return <p className={styles.note}>{body.problem}</p>
  return (
    <div className="flex flex-col h-full min-w-0 min-h-0">
      <PartialNotice whole={whole} />
      <RawView key={body.source.key} body={body} chosen={chosen} onChoose={setChosen} />
    </div>
  )
}
