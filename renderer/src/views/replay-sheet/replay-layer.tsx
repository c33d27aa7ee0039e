import { useReplaySheet } from '@/stores/replay-sheet.ts'
import { ReplayNotice } from './replay-notice.tsx'
import { ReplaySheet } from './replay-sheet.tsx'

/** The sheet and the notice of what it sent, over whatever screen there is. */
export function ReplayLayer() {
  const { source, notice } = useReplaySheet()
  return (
    <>
      {source ? <ReplaySheet source={source} /> : null}
      {notice && !source ? <ReplayNotice notice={notice} /> : null}
    </>
  )
}
