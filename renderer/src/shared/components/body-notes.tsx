import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Finding, Verdict } from '#contract/delivery.ts'
import { analyse } from '#core/checks/analyse.ts'
import { type JsonReason, type Place, placeFinder, scanJson } from '#core/json/scan.ts'
import { cx } from '@/shared/components/cx.ts'
import { Button } from './button.tsx'
import { FindingNote } from './finding-note.tsx'
import { VerdictMark } from './tag.tsx'

export type BodyCheck =
  | {
      readonly json: false
      readonly reason: JsonReason | 'surrogate' | 'long'
      readonly place: Place
      readonly found: string
    }
  | {
      readonly json: true
      readonly verdict: Verdict
      readonly findings: readonly Finding[]
      readonly count: number
      /** `Event` as written; null when there is none. */
      readonly event: string | null
    }

/** Maximum length of an edited body, in UTF-16 units. */
export const LONGEST_BODY = 524_288

/** The unexpected character at an offset, and its place; the character is empty at the end of the text. */
export function foundAt(text: string, offset: number) {
  const point = text.codePointAt(offset)
  return { place: placeFinder(text)(offset), found: point === undefined ? '' : String.fromCodePoint(point) }
}

/** Checks the editor's text with the scanner and the checks that deliveries go through. */
export function checkBody(text: string): BodyCheck {
  const refused = (reason: 'surrogate' | 'long', at: number): BodyCheck => ({
    json: false,
    reason,
    place: placeFinder(text)(at),
    found: '',
  })
  if (text.length > LONGEST_BODY) return refused('long', LONGEST_BODY)
  const half = /\p{Cs}/u.exec(text)
  if (half) return refused('surrogate', half.index)
  const scanned = scanJson(text)
  if ('problem' in scanned) {
    const at = scanned.problem === 'empty' ? 0 : scanned.offset
    return { json: false, reason: scanned.problem, ...foundAt(text, at) }
  }
  const { verdict, findings, findingCount, event } = analyse({
    method: 'POST',
    contentType: 'application/json',
    body: { bytes: new TextEncoder().encode(text) },
  })
  return { json: true, verdict, findings, count: findingCount, event }
}

export interface BodyNotesProps {
  readonly check: BodyCheck
  readonly onPlace: (line: number, column: number) => void
}

interface WrongPlaceProps extends Pick<BodyNotesProps, 'onPlace'> {
  readonly place: Place
  readonly children: ReactNode
}

/** An error in a text, with a link to its place. */
export function WrongPlace({ place: { line, column }, onPlace, children }: WrongPlaceProps) {
  const { t } = useTranslation('sandbox')
  return (
    <p
      className={cx(
        'flex items-center gap-8 min-h-22 text-fg text-s',
        '[&_b]:text-invalid [&_b]:font-semibold [&>svg]:flex-none [&>svg]:text-invalid [&>svg]:size-14',
      )}
      role="alert"
    >
      <CircleAlert aria-hidden="true" />
      <span>
        <b>{t('emit.notJson.place', { line, column })}</b> {children}
      </span>
      <Button small variant="quiet" onClick={() => onPlace(line, column)}>
        {t('emit.goTo')}
      </Button>
    </p>
  )
}

export function BodyNotes({ check, onPlace }: BodyNotesProps) {
  const { t } = useTranslation('sandbox')
  if (!check.json)
    return (
      <WrongPlace place={check.place} onPlace={onPlace}>
        {t(`emit.notJson.${check.reason}`, { found: check.found, most: LONGEST_BODY })}
      </WrongPlace>
    )
  if (check.findings.length === 0) return <VerdictMark verdict={check.verdict} />
  return (
    <details>
      <summary
        className={cx(
          'flex items-center gap-10 w-fit min-h-20 rounded-4 cursor-default',
          'after:border-0 after:border-r-[1.5px] after:border-b-[1.5px] after:border-fg-3 after:size-6',
          'after:[transform:rotate(45deg)_translate(-2px,-1px)]',
          '[details[open]>&]:after:[transform:rotate(-135deg)_translate(-3px,-2px)]',
        )}
      >
        <VerdictMark verdict={check.verdict} />
        <span className="text-fg-2 text-s">{t('emit.finding', { count: check.count })}</span>
      </summary>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label={t('emit.findings')}
        className="grid gap-6 max-h-148 mt-6 py-4 overflow-y-auto"
      >
        {check.findings.map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings of one body have no identity but their place
          <li key={index}>
            <FindingNote finding={finding} bare />
          </li>
        ))}
      </ul>
    </details>
  )
}
