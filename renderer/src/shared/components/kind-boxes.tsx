import { GROUPS, type Group, KINDS, type Kind } from '#catalog/kinds.ts'
import type { Language } from '#catalog/text.ts'
import { useLanguage } from '@/shared/i18n/format.ts'
import { cx } from './cx.ts'
import { GroupDot } from './tag.tsx'
import { Checkbox } from './toggle.tsx'

interface KindGroup {
  readonly slug: Group
  readonly name: string
  readonly kinds: readonly (typeof KINDS)[number][]
}

/** Kinds by group whose name, group or meaning contains the text; empty groups are omitted. */
export function kindsFound(sought: string, language: Language): readonly KindGroup[] {
  const wanted = sought.trim().toLowerCase()
  const holds = (text: string) => text.toLowerCase().includes(wanted)
  return GROUPS.map(({ slug, name }) => ({
    slug,
    name: name[language],
    kinds: KINDS.filter(
      (k) => k.group === slug && (holds(k.kind) || holds(name[language]) || holds(k.emittedWhen[language])),
    ),
  })).filter(({ kinds }) => kinds.length > 0)
}

export interface KindBoxesProps {
  readonly groups: readonly KindGroup[]
  readonly chosen: ReadonlySet<Kind>
  /** In the order of the catalogue. */
  readonly onChange: (kinds: readonly Kind[]) => void
  /** Indents kinds to their group's name instead of its checkbox. */
  readonly indented?: boolean
}

/** A checkbox per kind, and one per group. */
export function KindBoxes({ groups, chosen, onChange, indented }: KindBoxesProps) {
  const language = useLanguage()
  const set = (kinds: readonly Kind[], on: boolean) =>
    onChange(KINDS.map(({ kind }) => kind).filter((kind) => (kinds.includes(kind) ? on : chosen.has(kind))))
  return groups.map(({ slug, name, kinds }) => {
    const names = kinds.map(({ kind }) => kind)
    const on = names.filter((kind) => chosen.has(kind)).length
    return (
      <fieldset
        key={slug}
        className="min-w-0 m-0 px-0 pt-0 pb-10 border-0 break-inside-avoid"
        aria-label={name}
      >
        <div
          className={cx(
            'flex items-center gap-6 min-h-24 [&_label]:font-semibold',
            indented && 'flex-row-reverse justify-end',
          )}
        >
          <Checkbox
            label={name}
            checked={on === 0 ? false : on === names.length ? true : 'indeterminate'}
            onChange={(now) => set(names, now)}
          />
          <GroupDot group={slug} />
        </div>
        {kinds.map(({ kind, emittedWhen }) => (
          <div
            key={kind}
            className={cx(
              'flex items-center gap-6 min-h-24 [&_label]:text-fg-2 [&_label]:code-s [&_label]:[font-variant-ligatures:none]',
              indented && 'pl-14',
            )}
            title={emittedWhen[language]}
          >
            <Checkbox label={kind} checked={chosen.has(kind)} onChange={(now) => set([kind], now)} />
          </div>
        ))}
      </fieldset>
    )
  })
}
