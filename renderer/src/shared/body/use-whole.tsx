import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Progress } from '@/shared/components/progress.tsx'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import {
  type BodySource,
  closeBody,
  type FailedBody,
  isComplete,
  isOpen,
  MOST,
  type OpenBody,
  openBody,
  openWhole,
  UNASKED,
} from './open-body.ts'

/** Brings the rest of a body: unasked up to UNASKED, beyond that when `load` is called. */
export function useWhole(begun: OpenBody | FailedBody) {
  const refusalText = useRefusalText()
  const [whole, setWhole] = useState<OpenBody | null>(null)
  const [received, setReceived] = useState<number | null>(null)
  const [failure, setFailure] = useState<Refusal | null>(null)
  const running = useRef<AbortController>(undefined)

  const load = useCallback(async () => {
    if (!isOpen(begun)) return
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setFailure(null)
    setReceived(0)
    try {
      const loaded = await openWhole(begun, controller.signal, (now) => {
        if (!controller.signal.aborted) setReceived(now)
      })
      if (controller.signal.aborted) return closeBody(loaded)
      if (loaded) setWhole(loaded)
    } catch (error) {
      if (!controller.signal.aborted) setFailure(refusalOf(error))
    }
    if (running.current === controller) setReceived(null)
  }, [begun])

  useEffect(() => {
    if (isOpen(begun) && !isComplete(begun) && begun.total <= UNASKED) void load()
    return () => {
      running.current?.abort()
      setReceived(null)
      setFailure(null)
      setWhole((present) => {
        if (present) closeBody(present)
        return null
      })
    }
  }, [begun, load])

  const failed = isOpen(begun) || !begun.refusal ? null : { ...begun, problem: refusalText(begun.refusal) }
  return {
    // The beginning, then the whole; one of another body may still be in the state while the effects of a change have not run.
    body: whole && whole.source.key === begun.source.key ? whole : (failed ?? begun),
    /** Bytes received of a load that runs; null when none does. */
    received,
    failure: failure && refusalText(failure),
    load: () => void load(),
    cancel: () => {
      running.current?.abort()
      setReceived(null)
    },
  }
}
export type Whole = ReturnType<typeof useWhole>

/** The beginning of a body, opened for as long as it is shown; null until it is there. */
export function useOpenBody(source: BodySource): OpenBody | FailedBody | null {
  const [begun, setBegun] = useState<OpenBody | FailedBody | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the source
  useEffect(() => {
    let current = true
    let opened: OpenBody | FailedBody | undefined
    void openBody(source).then((body) => {
      opened = body
      if (current) setBegun(body)
      else closeBody(body)
    })
    return () => {
      current = false
      closeBody(opened)
    }
  }, [source.key])
  return begun?.source.key === source.key ? begun : null
}

export function PartialNotice({ whole }: { readonly whole: Whole }) {
  const { t } = useTranslation(['detail', 'common'])
  const { body, received, failure } = whole
  if (!isOpen(body) || isComplete(body)) return null
  const { total } = body
  if (received !== null) {
    return (
      <div
        className={cx(
          'grid grid-cols-[auto_minmax(40px,1fr)_auto] items-center gap-10 px-12 py-6 border-b border-line',
          'bg-noted-weak text-fg text-s tabular-nums',
        )}
      >
        <span>{t('partial.loading', { received, total })}</span>
        <Progress label={t('partial.label')} value={received} max={total} />
        <Button small onClick={whole.cancel}>
          {t('common:cancel')}
        </Button>
      </div>
    )
  }
  const over = body.summary.bytes >= MOST
  return (
    <Banner
      tone={failure ? 'error' : 'info'}
      actions={
        over ? null : (
          <Button small onClick={whole.load}>
            {t('partial.load', { total })}
          </Button>
        )
      }
    >
      {failure
        ? t('partial.failed', { reason: failure })
        : t(over ? 'partial.over' : 'partial.beginning', { shown: body.summary.bytes, total })}
    </Banner>
  )
}
