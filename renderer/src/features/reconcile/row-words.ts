import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentClass, DocumentRow, RowRule } from '#contract/reconcile.ts'
import { useFormat } from '@/shared/i18n/format.ts'

/** Events in order, in one line; repeated ones are grouped, as `factura.updated ×3`. */
export function inRuns(events: readonly string[]): string {
  const runs: { readonly kind: string; times: number }[] = []
  for (const kind of events) {
    const last = runs.at(-1)
    if (last?.kind === kind) last.times += 1
    else runs.push({ kind, times: 1 })
  }
  return runs.map(({ kind, times }) => (times === 1 ? kind : `${kind} ×${times}`)).join(' · ')
}

/** @returns formats a day in the connection's zone, as ranges and the chart do */
export function useDay(zone: string): (instant: number) => string {
  const { locale } = useFormat()
  return useMemo(() => {
    const day = new Intl.DateTimeFormat(locale, {
      timeZone: zone,
      year: 'numeric',
      month: 'short',
      day: 'numeric',
    })
    return (instant) => day.format(instant / 1_000)
  }, [locale, zone])
}

/** Rules to add to a row; the class and the missed events state the others. */
const SAID = [
  'note-explains',
  'amount-due',
  'void-not-in-service',
  'changed-since',
  'nothing-compared',
  'not-identified',
  'other-ids',
  'items-not-identified',
] as const
const isSaid = (rule: RowRule): rule is (typeof SAID)[number] => SAID.some((said) => said === rule)

/** @returns states briefly why a document is in its class; empty when the class says enough */
export function useWhy(): (row: DocumentRow) => string {
  const { t } = useTranslation('reconcile')
  return (row) => {
    const { class: of, missed, rules, differences, likelyReason, cannotTell, recovered, ignored, note } = row
    const events = (of: 'missed' | 'possibly') =>
      missed
        .filter(({ certainty }) => certainty === of)
        .map(({ kind }) => t(`why.${of}`, { kind: kind ?? t('why.unknownKind') }))
    return [
      row.issuedSince ? t('why.issuedSince') : null,
      // Without the time, which appears with the document: it would displace the missed events.
      recovered ? t('why.recovered', { status: recovered.status }) : null,
      ignored === null ? null : t('why.ignored', { reason: ignored }),
      ...events('missed'),
      differences.length > 0 ? differences.join(', ') : null,
      ...(differences.length > 0 ? [] : events('possibly')),
      ...rules.flatMap((rule) => (isSaid(rule) ? [t(`why.rule.${rule}`)] : [])),
      likelyReason ? t(`why.reason.${likelyReason}`) : null,
      of === 'matched' && cannotTell.length > 0 ? t('why.cannotTell') : null,
      note === null ? null : t('why.note', { note }),
    ]
      .filter((part) => part !== null)
      .join(' · ')
  }
}

/** In the order of the summary. The signs repeat the colours' meaning, for colour-blind users and forced colours. */
export const CLASS_SIGNS: Readonly<Record<DocumentClass, string>> = {
  matched: '=',
  missing: '◀',
  differs: '≠',
  recovered: '✓',
  'cannot-tell': '≟',
  'webhook-only': '▶',
  'not-yet-due': '◷',
  'date-unknown': '?',
  'not-subscribed': '∅',
}

export const CLASS_INK: Readonly<Partial<Record<DocumentClass, string>>> = {
  recovered: 'text-valid',
  missing: 'text-invalid',
  differs: 'text-warning',
}

export const SHOWN_CLASSES = Object.keys(CLASS_SIGNS) as readonly DocumentClass[]

export const DIFFERENCES = SHOWN_CLASSES.filter((name) => name !== 'matched')

/** Classes whose documents may have a missed event. */
export const MISSED_CLASSES = ['missing', 'differs', 'not-yet-due'] as const
