import type { AttemptRow, Job } from '#contract/replay.ts'
import { attemptLine, attemptRecord } from './attempt-text.ts'
import { painter } from './colours.ts'
import type { JobScreen } from './following.ts'
import type { Terminal } from './terminal.ts'

/** More lines than this scroll by unread: on a screen, one line then says how far it is, and only failures get lines of their own. */
const LINES_READ = 200

/** Shows a job on the terminal as it runs. */
export function jobScreen(terminal: Terminal, total: number, json: boolean): JobScreen {
  const paint = painter(terminal.coloured)
  const brief = !json && total > LINES_READ && terminal.progress(null)
  const text = (row: AttemptRow) =>
    json ? `${JSON.stringify(attemptRecord(row))}\n` : attemptLine(row, paint)
  return {
    async attempts(rows) {
      const shown = brief ? rows.filter(({ ok }) => ok !== true) : rows
      if (shown.length > 0 && !terminal.readerGone) await terminal.print(shown.map(text).join(''))
    },
    progress(job) {
      if (job.state === 'running' && brief) terminal.progress(progressText(job))
      else terminal.progress(null)
    },
    paused({ id, state }) {
      terminal.say(
        state === 'paused'
          ? `Job ${id} was paused. It goes on with: acuse jobs resume ${id}. Ctrl+C cancels it.`
          : `Job ${id} goes on.`,
      )
    },
  }
}

function progressText({ done, failed, total, rate, etaMs }: Job): string {
  return [
    `${number(done + failed)} of ${number(total)}`,
    ...(failed > 0 ? [`${number(failed)} failed`] : []),
    `${number(Math.round(rate))}/s`,
    ...(etaMs === null ? [] : [`${duration(etaMs / 1_000)} left`]),
    'Ctrl+C cancels',
  ].join(' · ')
}

export const number = (value: number): string => value.toLocaleString('en-US')

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} min`
  return `${(seconds / 3_600).toFixed(1)} h`
}
