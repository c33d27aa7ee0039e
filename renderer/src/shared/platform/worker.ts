import { messageOf } from '#contract/errors.ts'

type Reply<A> = { readonly result: A } | { readonly error: string }

/**
 * Asks a worker one thing; the worker ends with the answer or with `signal`.
 * @param moved memory that goes along instead of being copied
 * @throws Error when the worker fails (memory, mostly), AbortError when it was given up
 */
export function askOnce<Q, A>(
  worker: Worker,
  question: Q,
  signal: AbortSignal,
  moved: Transferable[] = [],
): Promise<A> {
  return new Promise<A>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    worker.addEventListener('message', ({ data }: MessageEvent<Reply<A>>) =>
      'error' in data ? reject(new Error(data.error)) : resolve(data.result),
    )
    worker.addEventListener('error', (event) => reject(new Error(event.message || 'the worker failed')))
    worker.postMessage(question, moved)
  }).finally(() => worker.terminate())
}

export function answering<Q, A>(answer: (question: Q) => A | Promise<A>): void {
  self.addEventListener('message', async ({ data }: MessageEvent<Q>) => {
    const reply = (message: Reply<A>) => self.postMessage(message)
    try {
      reply({ result: await answer(data) })
    } catch (error) {
      reply({ error: messageOf(error) })
    }
  })
}
