import { ACCOUNTING_GROUPS } from '#catalog/amounts.ts'
import { ACCOUNTING_FIELDS, DATA_FIELDS, ENVELOPE_FIELDS, type FieldSpec } from '#catalog/fields.ts'
import { kindSpec } from '#catalog/kinds.ts'
import type { DeliveryDetail, Finding } from '#contract/delivery.ts'
import { memberCounting } from './members.ts'
import type { EventModel, Member, Members } from './protocol.ts'

export interface FieldRow {
  /** Documented spelling, or the name as sent for an undocumented field. */
  readonly name: string
  readonly spec: FieldSpec | undefined
  /** undefined: documented but absent. */
  readonly member: Member | undefined
  readonly pointer: string
  readonly findings: readonly Finding[]
}
type ByPointer = ReadonlyMap<string, readonly Finding[]>

export const byPointer = (findings: readonly Finding[]): ByPointer =>
  Map.groupBy(findings, ({ pointer }) => pointer)

export const pointerTo = (base: string, name: string): string =>
  `${base}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Documented fields in catalogue order, then undocumented ones in the order sent. */
export function fieldRows(
  specs: readonly FieldSpec[],
  members: readonly Member[],
  base: string,
  findings: ByPointer,
): { rows: FieldRow[]; unknown: FieldRow[] } {
  const used = new Set<Member>()
  const at = (...names: readonly string[]) =>
    [...new Set(names)].flatMap((name) => findings.get(pointerTo(base, name)) ?? [])
  const rows = specs.map((spec) => {
    const member = memberCounting(members, spec.name)
    if (member) used.add(member)
    const sent = member?.name ?? spec.name
    return { name: spec.name, spec, member, pointer: pointerTo(base, sent), findings: at(sent, spec.name) }
  })
  const unknown = members
    .filter((member) => !used.has(member) && !member.repeated)
    .map((member) => ({
      name: member.name,
      spec: undefined,
      member,
      pointer: pointerTo(base, member.name),
      findings: at(member.name),
    }))
  return { rows, unknown }
}

const specsOf = (names: readonly string[]): FieldSpec[] =>
  names.flatMap((name) => DATA_FIELDS.get(name) ?? [])

/** Of a kind that is none of the 28 every field of `data` is listed; names that the catalogue knows from other events keep their labels. */
export function eventRows(event: EventModel, detail: DeliveryDetail) {
  const findings = byPointer(detail.findingList)
  const list = (members: Members | null) => members?.list ?? []
  const top = fieldRows([...ENVELOPE_FIELDS.values()], list(event.envelope), '', findings)
  const dataName = top.rows.find((row) => row.name === 'data')?.member?.name ?? 'data'
  const base = pointerTo('', dataName)
  const kind = detail.kind === null ? undefined : kindSpec(detail.kind)
  const known = kind ? specsOf(kind.fields) : specsOf(list(event.data).map((member) => member.name))
  const data = fieldRows(known, list(event.data), base, findings)
  // `data` itself is the section; its row is only shown when it is not the object it should be.
  const envelope = top.rows.filter((row) => row.name !== 'data' || !event.data)
  const shown = [envelope, data.rows, data.unknown, top.unknown]
  const told = new Set(shown.flat().flatMap((row) => row.findings))
  return {
    envelope,
    data: data.rows,
    unknown: [...top.unknown, ...data.unknown],
    /** Findings about no field shown: the body as a whole, the method, the headers. */
    general: detail.findingList.filter((f) => !told.has(f) && !isNested(f.pointer, base)),
    /** Members beyond the kept ones, not listed. */
    unlisted: unlistedOf(event.envelope) + unlistedOf(event.data),
  }
}

const unlistedOf = (members: Members | null): number => (members ? members.total - members.list.length : 0)

export function pointerInData(event: EventModel, name: string): string {
  const data = memberCounting(event.envelope?.list ?? [], 'data')?.name ?? 'data'
  return pointerTo(pointerTo('', data), memberCounting(event.data?.list ?? [], name)?.name ?? name)
}

/** The header breakdown by what its fields mean; null where there is none. */
export function accountingRows(event: EventModel, detail: DeliveryDetail) {
  if (!event.accounting) return null
  const pointer = pointerInData(event, 'Accounting')
  const findings = byPointer(detail.findingList)
  const { list } = event.accounting
  const { rows, unknown } = fieldRows([...ACCOUNTING_FIELDS.values()], list, pointer, findings)
  const groups = ACCOUNTING_GROUPS.map(({ label, fields }) => ({
    label,
    rows: fields.flatMap((name) => rows.find((row) => row.name === name) ?? []),
  }))
  const general = findings.get(pointer) ?? []
  return { pointer, groups, unknown, general, unlisted: unlistedOf(event.accounting) }
}

/** Inside a field of `data`: told in the tab of Lines or Accounting, not above the fields. */
function isNested(pointer: string, base: string): boolean {
  return pointer.startsWith(`${base}/`) && pointer.slice(base.length + 1).includes('/')
}

export function findingsUnder(findings: readonly Finding[], pointer: string): readonly Finding[] {
  return findings.filter((f) => f.pointer === pointer || f.pointer.startsWith(`${pointer}/`))
}

/** Findings by the position of the line that they are about or within. @param pointer of Lines */
export function findingsByLine(
  findings: readonly Finding[],
  pointer: string,
): ReadonlyMap<number, readonly Finding[]> {
  const lineOf = ({ pointer: at }: Finding) =>
    Number((at.startsWith(`${pointer}/`) && at.slice(pointer.length + 1).split('/')[0]) || Number.NaN)
  const within = findings.filter((finding) => Number.isInteger(lineOf(finding)))
  return Map.groupBy(within, lineOf)
}

/** A label that only spells the name in words says nothing new. */
export const alike = (label: string, name: string): boolean =>
  label.replaceAll(' ', '').toLowerCase() === name.toLowerCase()
