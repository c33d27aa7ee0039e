import { messageOf } from '#contract/errors.ts'
import { BodyDocument } from './body-document.ts'
import type { BodyReply, BodyRequest } from './open-body.ts'

const documents = new Map<number, BodyDocument>()

function close(doc: number): void {
  const body = documents.get(doc)
  // A running operation checks this flag at its next pause and ends.
  if (body) body.closed = true
  documents.delete(doc)
}

function carryOut({ doc, call, params }: BodyRequest): unknown {
  if (call === 'close' || call === 'open') close(doc)
  if (call === 'close') return null
  if (call === 'open') return documents.set(doc, new BodyDocument(params.bytes)) && null
  const body = documents.get(doc)
  if (!body) throw new Error('closed')
  return (body[call] as (params: unknown) => unknown).call(body, params)
}

self.addEventListener('message', async ({ data }: MessageEvent<BodyRequest>) => {
  const answer = (reply: BodyReply) => self.postMessage(reply)
  const { id } = data
  try {
    answer({ id, result: (await carryOut(data)) ?? null })
  } catch (error) {
    answer({ id, error: messageOf(error) })
  }
})
