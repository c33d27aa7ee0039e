import { useReplaySheet } from '@/shared/live/layers.ts'
import { useRoute } from '@/shared/live/route.ts'
import { ReplayNotice } from './replay-notice.tsx'
import { ReplaySheet } from './replay-sheet.tsx'

/** The sheet and the notice of what it sent, over whatever screen there is. */
export function ReplayLayer() {
  const { source, notice } = useReplaySheet()
  const screen = useRoute((s) => s.screen)
  // The screen of the jobs shows it already, and more of it.
  const said = notice?.what === 'job' && screen === 'replays'
  return (
    <>
      {source ? <ReplaySheet source={source} /> : null}
      {notice && !source && !said ? <ReplayNotice notice={notice} /> : null}
    </>
  )
}
