import { appendFileSync } from 'node:fs'
import type { EndedAttempt, Item } from '#core/replay/ports.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { openLedger } from '#storage/replays/ledger.ts'

/* Run as a process of its own: drains a job as the runner does, and writes each attempt down once it is committed, when it would be sent. */
const [, , folder = '', job = ''] = process.argv
const lane = Number(job)
const AT_ONCE = 4
const ledger = openLedger({
  paths: storeFiles(folder),
  warn: (message) => {
    throw new Error(message)
  },
})
ledger.recover()
ledger.changeJob(lane, { state: 'running', pausedBy: null })

let ended: EndedAttempt[] = []
function step(): void {
  const items = ledger.waiting(lane, 0, AT_ONCE)
  if (items.length + ended.length === 0) {
    ledger.changeJob(lane, { state: 'done' })
    ledger.close()
    return
  }
  const first = items.length > 0 ? ledger.reserveIds(items.length) : 0
  ledger.commit({ ended, begun: items.map((item, i) => begun(first + i, item)) })
  // To a file: what a pipe has not taken yet would be lost with the process.
  const lines = items.map(({ deliveryId, again }, i) => `${first + i} ${deliveryId} ${again}\n`).join('')
  appendFileSync(`${folder}/sent.txt`, lines)
  process.stdout.write(lines)
  ended = items.map((item, i) => finished(first + i, item))
  // Slow enough for the one who kills to come in the middle.
  setTimeout(step, 1)
}
step()

function begun(id: number, item: Item) {
  return {
    id,
    item,
    deliveryId: item.deliveryId,
    origin: { by: 'job', job: lane },
    target: 'local',
    method: 'POST',
    url: 'http://127.0.0.1:1/',
    startedAt: Date.now() * 1_000,
    headers: ['Host', '127.0.0.1:1'],
    secretNames: [],
    bodySize: 2,
    editedBody: null,
    edited: false,
    again: item.again,
    tryNumber: item.tries + 1,
  } as const
}

function finished(id: number, { seq, tries }: Item): EndedAttempt {
  const body = Buffer.from('{"ok":true}')
  return {
    id,
    outcome: {
      answer: { status: 200, statusText: 'OK', headers: [], body, size: body.byteLength },
      error: null,
      timings: { lookupUs: null, connectUs: null, tlsUs: null, sendUs: 1, waitUs: 2, receiveUs: 3 },
      address: null,
      reusedConnection: true,
      tookUs: 6,
    },
    ok: true,
    digest: 'd',
    // Every fifth needs a second try, so that entries also go back.
    item: { lane, seq, end: seq % 5 === 0 && tries === 0 ? 'waiting' : 'done' },
  }
}
