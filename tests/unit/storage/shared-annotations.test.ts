import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MirroredRecord } from '#core/mirror.ts'
import { deliveryRecord, KIND, mirroredRecord } from '#storage/wire/record.ts'
import { unsent } from '#storage/writer/annotations.ts'
import { FilingWriter, packed } from '../../support/filing-writer.ts'
import { forAll } from '../../support/for-all.ts'
import { aDelivery } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const DELIVERIES = [1, 2]

/** A shared log in memory: takes each key once, and gives places in order. */
class MemoryLog {
  readonly records: MirroredRecord[] = []
  readonly #keys = new Set<string>()

  constructor() {
    for (const _ of DELIVERIES) this.#add(KIND.delivery, packed(deliveryRecord(aDelivery())).bytes)
  }

  take(key: string, record: Uint8Array): void {
    if (!this.#keys.has(key)) this.#add(KIND.annotation, record)
    this.#keys.add(key)
  }

  #add(kind: number, payload: Uint8Array): void {
    this.records.push({ id: this.records.length + 1, kind, payload })
  }
}

/** A store that follows, without threads. */
class Inspector {
  #filing = new FilingWriter(tempFolder())
  readonly #log: MemoryLog
  readonly #author: string

  constructor(log: MemoryLog, author: string) {
    this.#log = log
    this.#author = author
    this.read(Number.POSITIVE_INFINITY)
  }

  get #captured() {
    return this.#filing.writer.captured
  }

  say({ id, field, value, at }: Edit): void {
    const by = { at, author: this.#author }
    if (field === 'pin') this.#captured.pin([id], value > 1, by)
    else if (field === 'note')
      this.#captured.annotate({ ids: [id], note: value === 0 ? null : `note ${value}` }, by)
    else this.#captured.annotate({ ids: [id], [value > 1 ? 'addTags' : 'removeTags']: [field] }, by)
  }

  /** Sends the first unsent changes, again if it has sent them before. */
  send(count: number): void {
    for (const { key, record } of unsent(this.#captured.statements, 0, count)) this.#log.take(key, record)
  }

  read(count: number): void {
    const after = this.#filing.writer.status().mirrored
    const next = this.#log.records.slice(after, after + count)
    this.#filing.append(...next.map((record) => mirroredRecord(record, record.id - 1)))
  }

  trash(id: number): void {
    this.#captured.trash([id], { batch: null, filter: null, sparePinned: false, at: 1 })
  }

  kill(): void {
    this.#filing.kill()
    this.#filing = new FilingWriter(this.#filing.folder)
  }

  get waiting(): number {
    return unsent(this.#captured.statements, 0, 1_000).length
  }

  shown(): unknown {
    const all = (sql: string) => this.#captured.db.prepare(sql).all()
    return [
      all('SELECT * FROM note ORDER BY 1'),
      all('SELECT * FROM pin ORDER BY 1'),
      all('SELECT * FROM tag ORDER BY 1, 2'),
    ]
  }

  close(): void {
    this.#filing.close()
  }
}

interface Edit {
  readonly id: number
  readonly field: string
  readonly value: number
  readonly at: number
}

const who = fc.integer({ min: 0, max: 2 })
const step = fc.oneof(
  fc.record({
    act: fc.constant('say' as const),
    who,
    id: fc.constantFrom(...DELIVERIES),
    field: fc.constantFrom('note', 'pin', 'red', 'blue'),
    value: fc.integer({ min: 0, max: 3 }),
    at: fc.integer({ min: 1, max: 1_000 }),
  }),
  fc.record({
    act: fc.constantFrom('send' as const, 'read' as const),
    who,
    count: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ act: fc.constant('kill' as const), who }),
  fc.record({ act: fc.constant('trash' as const), who, id: fc.constantFrom(...DELIVERIES) }),
)

test('all followers show the last change of each field, whatever the order of sending, reading and kills', () => {
  forAll(50, [fc.array(step, { minLength: 5, maxLength: 40 })], (steps) => {
    const log = new MemoryLog()
    const all = ['ana', 'eva', 'luz'].map((name) => new Inspector(log, name))
    for (const one of steps) {
      const inspector = all[one.who]
      if (one.act === 'say') inspector?.say(one)
      else if (one.act === 'kill') inspector?.kill()
      else if (one.act === 'trash') inspector?.trash(one.id)
      else inspector?.[one.act](one.count)
    }
    for (const one of all) one.send(1_000)
    for (const one of all) one.read(1_000)
    expect(all.map(({ waiting }) => waiting)).toEqual([0, 0, 0])
    const fresh = new Inspector(log, 'new')
    for (const one of all) {
      expect(one.shown()).toEqual(fresh.shown())
      one.close()
    }
    fresh.close()
  })
})

test('an own change stays visible until the log has it, then the last one in the log holds', () => {
  const log = new MemoryLog()
  const [ana, eva] = [new Inspector(log, 'ana'), new Inspector(log, 'eva')]
  const note = (value: number, at: number) => ({ id: 1, field: 'note', value, at })
  ana.say(note(1, 500))
  eva.say(note(2, 100))
  eva.send(10)
  ana.read(10)
  expect(ana.shown()).toEqual([[{ delivery_id: 1, text: 'note 1', at: 500, author: 'ana' }], [], []])
  ana.send(10)
  ana.read(10)
  eva.read(10)
  expect(eva.shown()).toEqual(ana.shown())
  expect(ana.shown()).toEqual([[{ delivery_id: 1, text: 'note 1', at: 500, author: 'ana' }], [], []])
})

test('a record that this version does not know changes nothing', () => {
  const log = new MemoryLog()
  const ana = new Inspector(log, 'ana')
  const known = {
    key: randomUUID(),
    delivery: 1,
    at: 5,
    author: 'eva',
    field: 'tag',
    tag: 'red',
    value: true,
  }
  const pin = { ...known, field: 'pin', tag: undefined }
  const note = { ...pin, field: 'note', value: 'text' }
  const unknown = [
    ...['key', 'delivery', 'at', 'author', 'tag', 'value'].map((name) => ({ ...known, [name]: {} })),
    ...[{ more: 1 }, { key: 'x' }, { delivery: 0 }, { author: 'x'.repeat(201) }, { tag: 'a b' }].map(
      (part) => ({
        ...known,
        ...part,
      }),
    ),
    ...[
      { ...pin, value: 1 },
      { ...pin, tag: 'red' },
      { ...note, value: 'x'.repeat(10_001) },
      { ...note, value: '\0' },
    ],
  ]
  const texts = ['', '{}', '[]', 'null', '{"field":"colour","value":"red"}', '\u0000']
  for (const text of [...texts, ...unknown.map((one) => JSON.stringify(one))])
    log.take(text, Buffer.from(text))
  ana.read(50)
  expect(ana.shown()).toEqual([[], [], []])
  log.take(known.key, Buffer.from(JSON.stringify({ ...known, tag: ' Red' })))
  ana.read(1)
  expect(ana.shown()).toEqual([[], [], [{ delivery_id: 1, tag: 'red' }]])
})
