import type { AnswerHint } from '#contract/connect.ts'

/** Cloudflare's own statuses for a tunnel that is not open. */
const CLOUDFLARE_OFFLINE: ReadonlySet<number> = new Set([530, 521])
/** ngrok says so in a header: ERR_NGROK_3200 no tunnel, 8012 nothing listens behind it. */
const NGROK_UPSTREAM = 'ERR_NGROK_8012'

/**
 * What the answer of another server points to.
 * @param header gives the first value of a header, by its name in small letters
 */
export function answerHint(status: number, header: (name: string) => string | null): AnswerHint {
  const ngrok = header('ngrok-error-code')
  if (ngrok !== null) return ngrok === NGROK_UPSTREAM ? 'tunnel-upstream' : 'tunnel-offline'
  if (header('server') === 'cloudflare') {
    if (CLOUDFLARE_OFFLINE.has(status)) return 'tunnel-offline'
    if (status === 502) return 'tunnel-upstream'
  }
  if (status >= 300 && status < 400) return 'redirect'
  if (status === 401 || status === 403 || status === 407) return 'protected'
  if (status >= 502 && status <= 504) return 'gateway'
  return 'other-server'
}
