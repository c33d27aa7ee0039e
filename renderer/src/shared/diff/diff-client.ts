import type { Comparison, DiffReply, DiffRequest } from './diff-protocol.ts'

/**
 * Compares two bodies in a worker of their own, which ends with the comparison or with `signal`.
 * @throws Error when the worker fails (memory, mostly), AbortError when it was given up
 */
export function compareBodies(
  left: Uint8Array,
  right: Uint8Array,
  ignored: readonly string[],
  signal: AbortSignal,
): Promise<Comparison> {
  const worker = new Worker(new URL('./diff-worker.ts', import.meta.url), { type: 'module', name: 'diff' })
  return new Promise<Comparison>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    worker.addEventListener('message', ({ data }: MessageEvent<DiffReply>) =>
      'error' in data ? reject(new Error(data.error)) : resolve(data.result),
    )
    worker.addEventListener('error', (event) => reject(new Error(event.message || 'the comparison failed')))
    const request: DiffRequest = { left: copyOf(left), right: copyOf(right), ignored }
    worker.postMessage(request, [request.left, request.right])
  }).finally(() => worker.terminate())
}

/** The bytes are compared again when what is ignored changes, so they must not be handed over themselves. */
const copyOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer
