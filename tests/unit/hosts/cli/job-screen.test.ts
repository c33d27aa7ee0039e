import { describe, expect, test } from 'vitest'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { AttemptRow, Job } from '#contract/replay.ts'
import { jobLine, jobRecord, jobText } from '#hosts/cli/commands/jobs.ts'
import { jobScreen } from '#hosts/cli/shared/attempts.ts'
import { terminalDouble } from '../../../support/terminal-double.ts'

const ROW: AttemptRow = {
  id: 9,
  deliveryId: 4,
  origin: { by: 'job', job: 1 },
  target: 'staging',
  method: 'POST',
  url: 'http://127.0.0.1:1/\u001b[2J',
  startedAt: 0,
  tookUs: 12_345,
  state: 'answered',
  status: 200,
  ok: true,
  error: null,
  answerSize: 0,
  answerDigest: null,
  edited: false,
  again: true,
  tryNumber: 2,
}
const FAILED: AttemptRow = { ...ROW, deliveryId: 5, status: 500, ok: false }
const JOB: Job = {
  id: 1,
  source: { type: 'filter', filter: '' },
  options: { ...DEFAULT_JOB_OPTIONS, to: { target: 'staging' } },
  state: 'running',
  pausedBy: null,
  createdAt: 0,
  endedAt: null,
  total: 100_000,
  done: 1_200,
  failed: 34,
  inFlight: 1,
  uncertain: 0,
  rate: 2_310.4,
  etaMs: 42_000,
  lastError: null,
  stall: null,
}

describe('how a job is shown as it runs', () => {
  test('few attempts get a line each, also on a screen; nothing in a URL acts on the terminal', async () => {
    const terminal = terminalDouble({ coloured: true, progress: () => true })
    await jobScreen({ terminal, json: false }, 2).attempts([ROW, FAILED])
    const [first, second] = terminal.stdout().split('\n')
    expect(first).toContain('\u001b[32m200\u001b[0m     12 ms  POST ')
    expect(first).toMatch(/#4 .*\\x1b\[2J {2}try 2 {2}may have arrived before$/)
    expect(second).toContain('\u001b[31m500\u001b[0m')
  })

  test('many get one line on a screen that says how far it is, and failures lines of their own', async () => {
    const shown: (string | null)[] = []
    const terminal = terminalDouble({
      progress(text) {
        shown.push(text)
        return true
      },
    })
    const screen = jobScreen({ terminal, json: false }, JOB.total)
    await screen.attempts([ROW, FAILED])
    expect(terminal.stdout()).toMatch(/^\S+ {2}#5 [^\n]*\n$/)
    screen.progress(JOB)
    expect(shown.at(-1)).toBe('1,234 of 100,000 · 34 failed · 2,310/s · 42 s left · Ctrl+C cancels')
    screen.progress({ ...JOB, state: 'done' })
    expect(shown.at(-1)).toBeNull()
  })

  test('where there is no screen, or for programs, every attempt gets its line', async () => {
    const terminal = terminalDouble()
    await jobScreen({ terminal, json: false }, JOB.total).attempts([ROW, FAILED])
    expect(terminal.stdout().trimEnd().split('\n')).toHaveLength(2)
    const program = terminalDouble({ progress: () => true })
    await jobScreen({ terminal: program, json: true }, JOB.total).attempts([ROW])
    expect(JSON.parse(program.stdout())).toMatchObject({
      attempt: 9,
      delivery: 4,
      durationMs: 12.345,
      try: 2,
    })
  })
})

test('a job that the disk holds up says so, in its line, in full, and to scripts', () => {
  const stall = { code: 'storage', message: 'The record of replays cannot be used: disk full.' } as const
  const held = { ...JOB, stall }
  expect(jobLine(held)).toContain('waits for the disk')
  expect(jobText(held)).toMatch(/Waits +The record of replays cannot be used: disk full\./)
  expect(jobRecord(held).stall).toEqual(stall)
  expect(jobText(JOB)).not.toMatch(/waits/i)
})
