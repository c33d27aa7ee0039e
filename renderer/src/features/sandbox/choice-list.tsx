import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { cx } from '@/shared/components/cx.ts'
import { useListSteps } from '@/shared/components/list-steps.ts'
import { TextField } from '@/shared/components/text-field.tsx'

export interface ChoiceGroup<V extends string> {
  readonly id: string
  readonly name: string
  readonly choices: readonly { readonly value: V; readonly mark?: ReactNode }[]
}

export interface ChoiceListProps<V extends string> {
  readonly label: string
  readonly value: V | null
  readonly onChange: (value: V) => void
  readonly groups: readonly ChoiceGroup<V>[]
  readonly sought: string
  readonly onSeek: (sought: string) => void
  readonly searchLabel: string
  readonly none: string
}

/** Identifiers by group, one of them chosen. One stop of Tab: arrows, Home and End move the choice, from the search field too. */
export function ChoiceList<V extends string>(props: ChoiceListProps<V>) {
  const { label, value, onChange, groups, sought, onSeek, searchLabel, none } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const shown = groups.flatMap(({ choices }) => choices.map((choice) => choice.value))
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that scrolls
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [value])
  const move = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // Home and End belong to the text while one types.
    if (event.target instanceof HTMLInputElement && !event.key.startsWith('Arrow')) return
    if (take(event.key)) event.preventDefault()
  }
  const take = (key: string): boolean => {
    const at = value === null ? -1 : shown.indexOf(value)
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(shown.length - 1, at + 1),
      ArrowUp: Math.max(0, at - 1),
      Home: 0,
      End: shown.length - 1,
    }
    const target = targets[key]
    if (target === undefined) return false
    const chosen = shown[target]
    if (chosen !== undefined) onChange(chosen)
    return true
  }
  const steps = useListSteps(take)
  const optionId = (one: V) => `${id}-${one}`
  return (
    <div className="grid grid-rows-[auto_minmax(0,1fr)] grid-cols-1 min-h-0 border-r border-line bg-panel">
      <div className="px-10 py-8 border-b border-line">
        <TextField
          label={searchLabel}
          hideLabel
          placeholder={searchLabel}
          leading={<Search aria-hidden="true" />}
          value={sought}
          onChange={onSeek}
          onKeyDown={move}
        />
      </div>
      {shown.length === 0 ? (
        <p className="px-10 py-20 text-fg-2 text-s text-center">{none}</p>
      ) : (
        <div
          ref={list}
          role="listbox"
          data-steps={steps}
          data-in-screen=""
          tabIndex={0}
          className="overflow-y-auto px-6 pt-4 pb-12 outline-none focus-visible:focus-inset"
          aria-label={label}
          aria-activedescendant={value !== null && shown.includes(value) ? optionId(value) : undefined}
          onKeyDown={move}
        >
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: the ARIA pattern of grouped options; a fieldset is no part of a listbox
            <div key={group.id} role="group" aria-label={group.name}>
              <div aria-hidden="true" className="px-8 pt-10 pb-4 text-fg-3 label-xs">
                {group.name}
              </div>
              {group.choices.map((choice) => (
                // biome-ignore lint/a11y/useFocusableInteractive: the listbox holds the focus (aria-activedescendant)
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the listbox's
                <div
                  key={choice.value}
                  id={optionId(choice.value)}
                  role="option"
                  aria-selected={choice.value === value}
                  className={cx(
                    'flex items-center gap-8 h-26 px-8 py-0 rounded-5 text-fg code-s leading-none',
                    '[font-variant-ligatures:none] cursor-default select-none',
                    choice.value === value
                      ? 'bg-selected font-medium forced-colors:outline-1 forced-colors:outline-[Highlight]'
                      : 'hover:bg-hover',
                  )}
                  onClick={() => onChange(choice.value)}
                >
                  {choice.mark}
                  {choice.value}
                </div>
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
