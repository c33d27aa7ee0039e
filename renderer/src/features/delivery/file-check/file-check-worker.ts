import { messageOf } from '#contract/errors.ts'
import { analyse } from '#core/checks/analyse.ts'
import type { FileCheckReply, FileCheckRequest } from './file-check-protocol.ts'

self.addEventListener('message', async ({ data }: MessageEvent<FileCheckRequest>) => {
  const answer = (reply: FileCheckReply) => self.postMessage(reply)
  try {
    const bytes = new Uint8Array(await data.file.arrayBuffer())
    // As the service would send it: what a file cannot tell must find no fault.
    const analysis = analyse({ method: 'POST', contentType: 'application/json', body: { bytes } })
    const { event, kind, number, documentId, verdict, findings, findingCount } = analysis
    answer({ result: { event, kind, number, documentId, verdict, findings, findingCount } })
  } catch (error) {
    answer({ error: messageOf(error) })
  }
})
