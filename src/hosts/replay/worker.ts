import { parentPort } from 'node:worker_threads'
import { AcuseError } from '#contract/errors.ts'
import { Runner } from '#core/replay/runner.ts'
import { createSender } from '#outbound/sender.ts'
import { openCapturedRequests } from '#storage/replays/captured-requests.ts'
import { openLedger } from '#storage/replays/ledger.ts'
import { serveCalls } from '#storage/wire/link.ts'
import { answerDigests } from './answer-digests.ts'
import type { ReplayCalls, ReplayMessage, ReplayOrder } from './protocol.ts'

/** The same complaint is heard once in so long. */
const REPEATED_MS = 60_000
/** Deletions come in crowds; attempts follow them together. */
const FOLLOW_MS = 500

const port = parentPort
if (!port) throw new Error('started without a parent')
const say = (message: ReplayMessage): void => port.postMessage(message)

interface Open {
  readonly runner: Runner
  readonly ledger: ReturnType<typeof openLedger>
  readonly captured: ReturnType<typeof openCapturedRequests>
  close(): Promise<void>
}
let open: Open | undefined
let answers: number | null = null
let following: NodeJS.Timeout | undefined

const complaints = new Map<string, number>()
function warn(message: string): void {
  const now = performance.now()
  if (now - (complaints.get(message) ?? Number.NEGATIVE_INFINITY) < REPEATED_MS) return
  complaints.set(message, now)
  say({ event: 'warning', message })
}

function settle(ledger: Open['ledger']): void {
  try {
    ledger.settle()
  } catch (error) {
    warn(`The last attempts could not be written yet: ${error instanceof Error ? error.message : error}`)
  }
}

function opened(): Open {
  if (!open) throw new AcuseError('not-available', 'Replays are not open.')
  return open
}

/** The process that receives asks this at every delivery, so it is told rather than asked. */
function tellAnswers(): void {
  const timeoutMs = open?.runner.answerTimeout() ?? null
  if (timeoutMs === answers) return
  answers = timeoutMs
  say({ event: 'answers', timeoutMs })
}

const calls: ReplayCalls = {
  open(paths, start) {
    const ledger = openLedger({ paths, warn })
    const captured = openCapturedRequests({ paths })
    const sender = createSender()
    const close = (): void => {
      sender.close()
      captured.close()
      ledger.close()
    }
    try {
      const runner = new Runner(
        {
          ...{ ledger, captured, sender, warn },
          clock: { now: () => performance.timeOrigin + performance.now() },
          digest: answerDigests(),
          defer: (work) => void setImmediate(work),
          notice: (notice) => {
            // A listener may look for the attempts in replays.db, as the list does.
            settle(ledger)
            say({ event: 'notice', notice })
          },
        },
        start,
      )
      open = {
        ...{ runner, ledger, captured },
        async close() {
          await runner.close()
          close()
        },
      }
    } catch (error) {
      close()
      throw error
    }
    tellAnswers()
  },
  async command({ name, params }, context) {
    const result = await opened().runner.call(name, params, context)
    tellAnswers()
    return result
  },
  answerFor: (id) => opened().runner.answerFor(id),
  release() {
    open?.ledger.releaseCaptured()
    open?.captured.releaseCaptured()
  },
  async close() {
    clearTimeout(following)
    const closing = open
    open = undefined
    await closing?.close()
  },
}

function carryOut(message: ReplayOrder): void {
  if (!open) return
  switch (message.order) {
    case 'configure':
      open.runner.configure(message.surroundings)
      return
    case 'settled':
      open.runner.settled(message.upto)
      return
    case 'follow-deletions':
      following ??= setTimeout(followDeletions, FOLLOW_MS)
      return
    case 'reopen':
      open.ledger.reopenCaptured()
      open.captured.reopenCaptured()
  }
}

function followDeletions(): void {
  following = undefined
  try {
    open?.runner.followDeletions()
  } catch (error) {
    warn(
      `Attempts of deleted deliveries could not be removed: ${error instanceof Error ? error.message : error}`,
    )
  }
}

port.on('message', (message: ReplayOrder | object) => {
  if ('order' in message) carryOut(message)
})
serveCalls(port, calls)
