import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { api } from '@/shared/live/api.ts'
import { type SheetSource, useReplaySheet } from '@/shared/live/layers.ts'
import { useReplays } from '@/shared/live/replays.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { beginAct } from '@/shared/live/undo.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

/** Replays to the default target: one delivery directly, several as a job with default options. Without a default target the sheet opens. */
export async function replayNow(source: SheetSource): Promise<void> {
  beginAct()
  const { open, tell } = useReplaySheet.getState()
  const target = useSettings.getState().settings?.defaultTarget ?? null
  const several = source.ids.length > 1
  if (!several && !source.everything && source.delivery === null) return tell({ what: 'nothing' })
  // A whole filter may select a million deliveries, so the user confirms in the sheet.
  if (target === null || source.everything) return open(source)
  try {
    if (several) {
      const job = await api.call('jobs.start', {
        source: { type: 'ids', ids: source.ids },
        options: { ...DEFAULT_JOB_OPTIONS, to: { target } },
      })
      useReplays.getState().putJob(job)
      return tell({ what: 'job', job: job.id })
    }
    if (source.delivery === null) return
    const sending = { what: 'sending', target } as const
    tell(sending)
    const { attempts } = await api.call('replay.send', { delivery: source.delivery, to: { target } })
    const attempt = attempts.at(-1)
    tell(attempt ? { what: 'answered', attempt } : null)
  } catch (error) {
    tell({ what: 'refused', refusal: refusalOf(error) })
  }
}
