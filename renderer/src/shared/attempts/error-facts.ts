import type { JobFailure, LaneFailure } from '#contract/replay.ts'

/** What is told beside a translated sentence: where it happened, and the system's own word for it. The reason may have words of its own. */
export function errorFacts({ params }: JobFailure | LaneFailure): {
  readonly where: string | null
  readonly reason: string | null
} {
  const text = (name: string): string | null => {
    const value = params[name]
    return value === undefined || value === '' ? null : String(value)
  }
  const host = text('host')
  const port = text('port')
  // An address of IPv6 stands in brackets where a port follows.
  const named = host?.includes(':') && port !== null ? `[${host}]` : host
  const place = named !== null && port !== null ? `${named}:${port}` : named
  const reason = text('reason')
  return {
    where: text('proxy') ?? place ?? text('address') ?? text('url') ?? text('target') ?? text('id'),
    reason: reason === 'unknown' ? null : reason,
  }
}
