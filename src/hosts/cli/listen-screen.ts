import type { DeliveryRow } from '#contract/delivery.ts'
import type { AttemptRow } from '#contract/replay.ts'
import { attemptRecord } from './attempt-text.ts'
import { painter } from './colours.ts'
import { bodyLines, eventLine, type Fate, findingLines, lateLine, TELLING } from './listen-text.ts'
import type { Reached } from './reach.ts'
import { eventRecord, findingRecord } from './records.ts'
import type { Terminal } from './terminal.ts'

/** What is shown of events and attempts. */
export interface ListenScreen {
  /** Whether an event waits for what becomes of it, so that both stand in one line. */
  readonly together: boolean
  event(row: DeliveryRow, fate: Fate): Promise<void>
  /** An attempt of an event that was shown before. */
  attempt(attempt: AttemptRow): Promise<void>
}

/** More of a body than this is of no use on a screen. */
const SHOWN = 64 * 1_024

/** For people: one line per event, findings of bad ones beneath. @param bodies whether bodies are printed too */
export function peopleScreen(
  terminal: Terminal,
  { call }: Pick<Reached, 'call'>,
  bodies: boolean,
): ListenScreen {
  const paint = painter(terminal.coloured)
  async function body(id: number): Promise<string> {
    const slice = { id, from: 0, length: SHOWN }
    const decoded = await call('deliveries.body', { ...slice, view: 'decoded' })
    const shown =
      decoded.problem === null ? decoded : await call('deliveries.body', { ...slice, view: 'raw' })
    const rest =
      shown.total > SHOWN ? `    … ${shown.total - SHOWN} more bytes: acuse show ${id} --json\n` : ''
    return bodyLines(Buffer.from(shown.bytesBase64, 'base64').toString()) + rest
  }
  return {
    together: true,
    async event(row, fate) {
      const findings = TELLING.has(row.verdict)
        ? findingLines(await call('deliveries.get', { id: row.id }))
        : ''
      await terminal.print(eventLine(row, fate, paint) + findings + (bodies ? await body(row.id) : ''))
    },
    attempt: (attempt) => terminal.print(lateLine(attempt, paint)),
  }
}

/** For programs: events and attempts as they come, each a line of its own. */
export function jsonScreen(terminal: Terminal, { call }: Pick<Reached, 'call'>): ListenScreen {
  return {
    together: false,
    async event(row) {
      const findings =
        row.findings === 0
          ? []
          : (await call('deliveries.get', { id: row.id })).findingList.map(findingRecord)
      await terminal.print(`${JSON.stringify({ type: 'event', ...eventRecord(row), findings })}\n`)
    },
    attempt: (attempt) =>
      terminal.print(`${JSON.stringify({ type: 'attempt', ...attemptRecord(attempt) })}\n`),
  }
}
