import { analyse } from '#core/checks/analyse.ts'
import { answering } from '@/shared/platform/worker.ts'

/** Checks a file as if the service had sent it; facts that a file lacks, such as headers, cause no finding. */
async function check(file: File) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const { event, kind, number, documentId, verdict, findings, findingCount } = analyse({
    method: 'POST',
    contentType: 'application/json',
    body: { bytes },
  })
  return { event, kind, number, documentId, verdict, findings, findingCount }
}
export type FileAnalysis = Awaited<ReturnType<typeof check>>

answering(check)
