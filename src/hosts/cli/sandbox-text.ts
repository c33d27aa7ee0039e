import type { SandboxLogEntry, SandboxSubscription } from '#contract/sandbox.ts'
import { kindsText } from './sandbox-kinds.ts'
import { shownUrl } from './target-text.ts'
import { visible, visibleLines } from './visible.ts'

/** A subscription for people: its id first, the rest beneath. */
export function subscriptionText({
  id,
  name,
  url,
  method,
  headers,
  kinds,
  active,
}: SandboxSubscription): string {
  const lines = [
    `${String(id).padEnd(4)} ${active ? 'active' : 'inactive'}  ${method} ${shownUrl(url)}`,
    ...(name === url ? [] : [`     Name     ${name}`]),
    `     Kinds    ${kindsText(kinds)}`,
    ...headers.map(
      (header) =>
        `     Header   ${header.name}: ${header.masked ? `<masked: ${header.value}>` : header.value}`,
    ),
  ]
  return `${lines.map(visible).join('\n')}\n`
}

/** What came of a connectivity test, for people: the outcome in the first line, then the answer. */
export function testText({
  outcome,
  status,
  durationMs,
  method,
  url,
  error,
  answer,
}: SandboxLogEntry): string {
  const took = durationMs === null ? '' : `${Math.round(durationMs)} ms`
  const facts = [outcome, String(status ?? '–'), took, `${method} ${url}`, error ?? '']
  const first = facts
    .filter((fact) => fact !== '')
    .map(visible)
    .join('  ')
  if (answer === null) return `${first}\n`
  const cut = answer.truncated ? ['… (the rest was not read)'] : []
  const body = answer.encoding === 'utf8' ? answer.body : `${answer.body} (base64)`
  return `${[first, '', visibleLines(answer.head), '', ...(body === '' ? [] : [visibleLines(body)]), ...cut].join('\n').trimEnd()}\n`
}
