import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '#contract/connection.ts'
import type { OpenExport } from '#contract/transfer.ts'
import { PIECE } from '#interop/formats/format.ts'
import type { Mask } from '#interop/mask/mask.ts'
import type { MaskKind } from '#interop/mask/scrub.ts'
import type { MaskedDelivery } from '#interop/records.ts'
import { createSession, finishSession } from '#storage/session/session-file.ts'
import { SessionWriter } from '#storage/session/session-writer.ts'
import { Surroundings } from '#storage/session/surroundings.ts'
import type { Statements } from '#storage/sql/connection.ts'

export const SESSION_FILE = { extension: 'acuse', mediaType: 'application/vnd.acuse.session' }

/** What a session file needs besides masked deliveries. */
export interface SessionTerms {
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Folder for the file while it is being made. */
  readonly folder: string
  readonly connections: readonly Connection[]
  readonly masked: readonly MaskKind[]
}

/** Longest time without a message to the client, which may cancel. */
const TELL_MS = 100

/**
 * Makes a session file beside the store, then yields its bytes, and removes it. An empty piece says only that it goes on.
 * @param statements of the reader, with all databases attached
 */
export async function* sessionPieces(
  deliveries: AsyncIterable<MaskedDelivery>,
  statements: Statements,
  mask: Mask,
  { source }: Pick<OpenExport, 'source'>,
  { version, now, folder, connections, masked }: SessionTerms,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const db = createSession(path)
  try {
    const writer = new SessionWriter(db)
    const around = new Surroundings(statements, writer.statements, mask)
    let told = performance.now()
    const due = () => {
      if (performance.now() - told < TELL_MS) return false
      told = performance.now()
      return true
    }
    let count = 0
    for await (const { detail, body, bodyState } of deliveries) {
      const at = statements.value`SELECT at FROM imported WHERE delivery_id = ${detail.id}`
      writer.add({ detail, body, bodyState, importedAt: typeof at === 'number' ? at : null })
      around.of(detail.id)
      count += 1
      if (due()) yield new Uint8Array()
    }
    for (const _ of around.finish(source)) if (due()) yield new Uint8Array()
    const used = connections.filter(({ name }) => around.connections.has(name)).map(withoutCredentials)
    finishSession(db, { createdAt: now, version, masked, deliveries: count, connections: used })
    yield* piecesOf(path)
  } finally {
    if (db.isOpen) db.close()
    rmSync(path, { force: true })
  }
}

function* piecesOf(path: string): Generator<Uint8Array<ArrayBuffer>> {
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const piece = new Uint8Array(PIECE)
      const length = readSync(file, piece)
      if (length === 0) return
      yield piece.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}

/** The host that opens the file sends nothing, so it needs neither a key nor the address of a proxy. */
const withoutCredentials = (connection: Connection): Connection => ({
  ...connection,
  proxy: 'none',
  apiKey: 'none',
  pluginToken: 'none',
})
