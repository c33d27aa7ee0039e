import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Target } from '#contract/target.ts'
import { createMasking, MASKED_NAMES } from '#core/masking.ts'
import { visible } from './visible.ts'

/** A URL of the settings for people, credentials in it covered; `--json` and `config get` give it as it was written. */
export const shownUrl = createMasking(() => MASKED_NAMES).target

/** A target for people: its name first, then what is not as usual. */
export function targetText(target: Target, isDefault: boolean): string {
  const { connectMs, answerMs, totalMs } = target.timeouts
  const usual = DEFAULT_TARGET.timeouts
  const facts: readonly (readonly [string, string | null])[] = [
    ['Method', target.method],
    ['Path', target.path === 'append' ? "the delivery's behind it" : null],
    ['Query', target.query === 'target' ? "the address's own" : null],
    ...target.headers.map(
      ({ name, value, secret }) => ['Header', `${name}: ${secret ? '<secret>' : value}`] as const,
    ),
    ['Strips', target.remove.join(', ') || null],
    [
      'Time-outs',
      connectMs === usual.connectMs && answerMs === usual.answerMs && totalMs === usual.totalMs
        ? null
        : `${connectMs} ms to connect, ${answerMs} ms for the answer, ${totalMs} ms in all`,
    ],
    ['Accepts', target.acceptAnyCertificate ? 'any certificate' : null],
    ['Keeps', target.keepSecret ? "the receiver's secret header" : null],
    ['Keeps', target.keepCredentials ? "the delivery's Cookie and Authorization" : null],
    ['Marks', target.markReplays ? null : 'nothing: X-Acuse-Replay is not sent'],
  ]
  const lines = [
    `${target.name}${isDefault ? ' (default)' : ''}  ${shownUrl(target.url)}`,
    ...facts.flatMap(([name, value]) => (value === null ? [] : [`     ${name.padEnd(10)} ${value}`])),
  ]
  return `${lines.map(visible).join('\n')}\n`
}
