import { parentPort } from 'node:worker_threads'
import { words } from '../files.ts'
import { failureOf } from '../sql/failure.ts'
import { serveCalls } from '../wire/link.ts'
import { Activities } from './activities.ts'
import { Details } from './detail.ts'
import type { ReaderCalls, ReaderMessage } from './protocol.ts'
import { Reader } from './reader.ts'
import { Salvage } from './salvage.ts'
import { trashBatches } from './trash.ts'

const port = parentPort
if (!port) throw new Error('started without a parent')

let reader: Reader | undefined
let details: Details | undefined
let activities: Activities | undefined
let salvage: Salvage | undefined

/** Reads, and tells when the file itself is at fault: a list that fails must lead to the damage being looked for. */
function read<T>(work: (reader: Reader, details: Details) => T): T {
  if (!reader || !details) throw new Error('The database is not open for reading.')
  try {
    const result = work(reader, details)
    if (result instanceof Promise) result.catch(tell)
    return result
  } catch (error) {
    tell(error)
    throw error
  }
}

function tell(error: unknown): void {
  if (failureOf(error) === 'damage')
    port?.postMessage({ event: 'damaged', reason: words(error) } satisfies ReaderMessage)
}

const calls: ReaderCalls = {
  open(paths) {
    reader?.close()
    reader = undefined
    reader = new Reader(paths)
    details = new Details(reader.statements)
    activities?.close()
    activities = new Activities(paths)
  },
  page: (filter, params) => read((it) => it.page(filter, params)),
  scan: (filter, params) => read((it) => it.scan(filter, params)),
  locate: (filter, id, sort) => read((it) => it.locate(filter, id, sort)),
  at: (filter, instant, sort) => read((it) => it.at(filter, instant, sort)),
  summary: (filter) => read((it) => it.summary(filter)),
  timeline: (filter, query) =>
    read((it) => {
      const counts = it.timeline(filter, query)
      return { ...counts, marks: activities?.between(counts.from, counts.to) ?? [] }
    }),
  documents: (filter, query) => read((it) => it.documents(filter, query)),
  document: (key) => read((it) => it.document(key)),
  driftKinds: (since) => read((it) => it.drift((drift) => drift.kinds(since))),
  driftProfile: (kind) => read((it) => it.drift((drift) => drift.profile(kind))),
  driftEvents: (query) => read((it) => it.drift((drift) => drift.events(query))),
  valueCounts: (filter, field) => read((it) => it.valueCounts(filter, field)),
  members: (filter, after, limit) => read((it) => it.members(filter, after, limit)),
  trash: () => read((it) => trashBatches(it.statements)),
  tags: () => read((it) => it.tags()),
  rows: (ids) => read((it) => it.rows(ids)),
  get: (id) =>
    read((list, it) => {
      const found = it.get(id)
      return found && list.counted([found])[0]
    }),
  body: (id, view, from, length) => read((_, it) => it.body(id, view, from, length)),
  coverage: (from, to) => read((it) => it.coverage(from, to)),
  countSince: (instant) => read((it) => it.countSince(instant)),
  plan: (params) => read((it) => it.plan(params)),
  reset: () => reader?.reset(),
  release() {
    reader?.close()
    reader = undefined
    details?.close()
    details = undefined
    activities?.close()
    activities = undefined
  },
  salvageOpen(damaged) {
    salvage?.close()
    salvage = new Salvage(damaged)
  },
  salvageNext() {
    if (!salvage) return { rows: [], chunks: [] }
    const step = salvage.step()
    if (step.rows.length > 0) return step
    salvage.close()
    salvage = undefined
    return step
  },
}

serveCalls(port, calls)
