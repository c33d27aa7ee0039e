import { KINDS } from '#catalog/kinds.ts'

/** `5 · aprobado`: the StatusId, and the event of the tax authority that reports it where there is one. */
export function statusText(id: number | null): string {
  if (id === null) return ''
  const kind = KINDS.find(({ statusId }) => statusId === id)?.kind
  return kind ? `${id} · ${kind.slice(kind.indexOf('.') + 1).replaceAll('_', ' ')}` : String(id)
}
