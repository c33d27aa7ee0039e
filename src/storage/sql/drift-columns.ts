import type { Shape } from '#contract/drift.ts'
import { FORMS, formOf } from '#core/drift/forms.ts'
import type { PackedCounts, Slot } from '#core/drift/profile.ts'

/** Shapes as a text: `string/uuid,null/`. */
export const packShapes = (shapes: readonly Shape[]): string =>
  shapes.map(({ type, format }) => `${type}/${format ?? ''}`).join(',')

export function unpackShapes(packed: unknown): readonly Shape[] {
  if (typeof packed !== 'string' || packed === '') return []
  return packed.split(',').flatMap((one) => {
    const [type = '', format = ''] = one.split('/')
    return FORMS[formOf(type, format === '' ? null : format)] ?? []
  })
}

export const SLOT_COLUMNS = 'slot, pointer, type, format, value, first_id, first_at'

/** One row of `observed`, written by this very version. */
export const toSlot = (row: Readonly<Record<string, unknown>>): Slot => ({
  slot: Number(row.slot),
  place: String(row.pointer),
  type: String(row.type) as Slot['type'],
  format: typeof row.format === 'string' ? (row.format as Slot['format']) : null,
  value: typeof row.value === 'string' ? row.value : null,
  firstId: Number(row.first_id),
  firstAt: Number(row.first_at),
})

/** @param blob as SQLite gives it, wherever it lies in memory */
export function unpackSlotCounts(blob: unknown): PackedCounts {
  if (!(blob instanceof Uint8Array)) return new Float64Array()
  return new Float64Array(blob.slice().buffer)
}

export const packSlotCounts = (counts: PackedCounts): Uint8Array =>
  new Uint8Array(counts.buffer, counts.byteOffset, counts.byteLength)
