import { messageOf } from '#contract/errors.ts'
import { BodyDocument } from './body-document.ts'
import type { BodyCall, BodyCalls, BodyReply, BodyRequest } from './protocol.ts'

const documents = new Map<number, BodyDocument>()

type Handlers = {
  readonly [C in Exclude<BodyCall, 'open' | 'close'>]: (
    body: BodyDocument,
    params: BodyCalls[C]['params'],
  ) => BodyCalls[C]['result'] | Promise<BodyCalls[C]['result']>
}

const HANDLERS: Handlers = {
  feed: (body, { base64 }) => body.feed(base64),
  read: (body, { whole }) => body.read(whole),
  rows: (body, params) => body.rows(params),
  fold: (body, { line, folded }) => body.fold(line, folded),
  'fold-all': (body, { depth }) => body.foldAll(depth),
  find: (body, { text, matchCase }) => body.find(text, matchCase),
  match: (body, { index, view, bytesPerRow }) => body.match(index, view, bytesPerRow),
  locate: (body, { place, view, bytesPerRow }) => body.locate(place, view, bytesPerRow),
  pointer: (body, { line }) => body.pointer(line),
  event: (body) => body.event(),
  items: (body, { line, from, count }) => body.items(line, from, count),
  totals: (body, { line }) => body.totals(line),
  value: (body, { line }) => body.value(line),
  text: (body, { view }) => body.text(view),
}

function close(doc: number): void {
  const body = documents.get(doc)
  // What runs in it ends at its next rest.
  if (body) body.closed = true
  documents.delete(doc)
}

function carryOut<C extends BodyCall>(request: BodyRequest<C>): unknown {
  const { doc, call, params } = request
  if (call === 'close') return close(doc)
  if (call === 'open') {
    close(doc)
    documents.set(doc, new BodyDocument((params as BodyCalls['open']['params']).bytes))
    return null
  }
  const body = documents.get(doc)
  if (!body) throw new Error('closed')
  const handler = HANDLERS[call as keyof Handlers] as (body: BodyDocument, params: unknown) => unknown
  return handler(body, params)
}

self.addEventListener('message', (event: MessageEvent<BodyRequest>) => {
  const { id } = event.data
  const answer = (reply: BodyReply) => self.postMessage(reply)
  void (async () => {
    try {
      answer({ id, result: (await carryOut(event.data)) ?? null })
    } catch (error) {
      answer({ id, error: messageOf(error) })
    }
  })()
})
