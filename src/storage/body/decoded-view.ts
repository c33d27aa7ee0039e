import type { BodySlice } from '#contract/delivery.ts'
import { DecodingFailure, decodedPieces, type NotDecoded } from './codings.ts'

/** Of a decoded body so much is kept in memory: an ordinary one whole, so that it is decoded once. */
const KEPT_BYTES = 1024 * 1024
/** A body that is read on within this time need not be decoded from its beginning. */
const KEPT_MS = 10_000

/** A body with its codings, as it is stored. */
export interface CodedBody {
  readonly id: number
  readonly codings: readonly string[]
  pieces(): Iterable<Buffer>
}

/** The body that is being read: its length, its beginning, and the place that reading has reached. */
interface Open {
  readonly id: number
  readonly total: number
  readonly begin: Buffer
  readonly problem: string | null
  at: number
  rest: Buffer
  pieces: AsyncGenerator<Buffer> | undefined
}

/** Slices of decoded bodies, one body at a time. Reading on goes on where it was; only reading back begins anew. */
export class DecodedView {
  #open: Open | undefined
  #release: NodeJS.Timeout | undefined
  #turn: Promise<unknown> = Promise.resolve()

  slice(body: CodedBody, from: number, length: number): Promise<BodySlice> {
    const read = this.#turn.then(() => this.#read(body, from, length))
    this.#turn = read.catch(() => undefined)
    return read
  }

  close(): void {
    clearTimeout(this.#release)
    void this.#open?.pieces?.return(undefined)
    this.#open = undefined
  }

  async #read(body: CodedBody, from: number, length: number): Promise<BodySlice> {
    clearTimeout(this.#release)
    if (this.#open?.id !== body.id) {
      this.close()
      this.#open = await opened(body)
    }
    const open = this.#open
    this.#release = setTimeout(() => this.close(), KEPT_MS).unref()
    const { total, problem, begin } = open
    const to = Math.min(from + length, total)
    const bytes = to <= begin.length ? begin.subarray(from, to) : await taken(open, body, from, to)
    // Closed meanwhile, with the database.
    if (this.#open !== open) void open.pieces?.return(undefined)
    return { bytesBase64: bytes.toString('base64'), total, problem }
  }
}

async function opened({ id, codings, pieces }: CodedBody): Promise<Open> {
  const kept: Buffer[] = []
  let total = 0
  let problem: string | null = null
  try {
    for await (const piece of decodedPieces(pieces(), codings)) {
      if (total < KEPT_BYTES) kept.push(piece)
      total += piece.length
    }
  } catch (error) {
    if (!(error instanceof DecodingFailure)) throw error
    problem = wordsOf(error.why)
    total = 0
  }
  const begin = Buffer.concat(kept).subarray(0, Math.min(total, KEPT_BYTES))
  return { id, total, begin, problem, at: 0, rest: Buffer.alloc(0), pieces: undefined }
}

async function taken(open: Open, body: CodedBody, from: number, to: number): Promise<Buffer> {
  if (!open.pieces || open.at > from) {
    await open.pieces?.return(undefined)
    open.pieces = decodedPieces(body.pieces(), body.codings)
    open.at = 0
    open.rest = Buffer.alloc(0)
  }
  const slice = Buffer.alloc(to - from)
  while (open.at < to) {
    if (open.rest.length === 0) {
      const next = await open.pieces.next()
      if (next.done) break
      open.rest = next.value
    }
    const used = Math.min(open.rest.length, to - open.at)
    if (open.at + used > from)
      open.rest.copy(slice, Math.max(0, open.at - from), Math.max(0, from - open.at), used)
    open.at += used
    open.rest = open.rest.subarray(used)
  }
  return slice.subarray(0, Math.max(0, open.at - from))
}

function wordsOf(why: NotDecoded): string {
  if ('tooLarge' in why) return `${why.tooLarge.coding}: decodes to more than ${why.tooLarge.limit} bytes`
  return `${why.undecodable.coding}: ${why.undecodable.reason}`
}
