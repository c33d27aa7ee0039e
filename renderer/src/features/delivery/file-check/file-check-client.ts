import type { FileAnalysis, FileCheckReply, FileCheckRequest } from './file-check-protocol.ts'

/**
 * Judges a file as the body of a delivery, in a worker of its own, which ends with the answer or with `signal`.
 * @throws Error when the file cannot be read or the worker fails (memory, mostly), AbortError when it was given up
 */
export function checkFile(file: File, signal: AbortSignal): Promise<FileAnalysis> {
  const worker = new Worker(new URL('./file-check-worker.ts', import.meta.url), {
    type: 'module',
    name: 'file-check',
  })
  return new Promise<FileAnalysis>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    worker.addEventListener('message', ({ data }: MessageEvent<FileCheckReply>) =>
      'error' in data ? reject(new Error(data.error)) : resolve(data.result),
    )
    worker.addEventListener('error', (event) => reject(new Error(event.message || 'the check failed')))
    const request: FileCheckRequest = { file }
    worker.postMessage(request)
  }).finally(() => worker.terminate())
}
