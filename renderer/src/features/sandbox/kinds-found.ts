import { GROUPS, type Group, KINDS, type Kind } from '#catalog/kinds.ts'
import type { Language } from '#catalog/text.ts'

export interface KindGroup {
  readonly slug: Group
  readonly name: string
  readonly kinds: readonly Kind[]
}

/** The kinds by group whose name, group or meaning holds the text, groups without any left out. */
export function kindsFound(sought: string, language: Language): readonly KindGroup[] {
  const wanted = sought.trim().toLowerCase()
  const holds = (text: string) => text.toLowerCase().includes(wanted)
  return GROUPS.map(({ slug, name }) => ({
    slug,
    name: name[language],
    kinds: KINDS.filter(
      (k) => k.group === slug && (holds(k.kind) || holds(name[language]) || holds(k.emittedWhen[language])),
    ).map((k) => k.kind),
  })).filter(({ kinds }) => kinds.length > 0)
}
