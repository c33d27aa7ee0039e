import type { SandboxLogQuery } from '#contract/sandbox.ts'
import { api } from '@/shared/live/api.ts'

/** As many as the host gives at once. */
const PER_PAGE = 100

/**
 * Every entry that a filter finds with its request and answer, one line of JSON each, oldest first.
 * @param onProgress told how many have been read
 * @returns undefined when it was given up
 * @throws RefusalError
 */
export async function logLines(
  filter: SandboxLogQuery,
  onProgress: (read: number) => void,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const lines: string[] = []
  let after = 0
  for (;;) {
    const page = await api.call('sandbox.log-entries', {
      ...filter,
      ...{ order: 'oldest', after, limit: PER_PAGE },
    })
    if (signal.aborted) return undefined
    for (const entry of page.entries) lines.push(JSON.stringify(entry))
    onProgress(lines.length)
    if (page.next === null) return lines
    after = page.next
  }
}
