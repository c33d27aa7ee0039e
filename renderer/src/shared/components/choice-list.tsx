import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { cx } from './cx.ts'
import { rowFor, showOption, useListSteps } from './list-steps.ts'
import { TextField } from './text-field.tsx'

export interface OptionGroup<V extends string> {
  readonly id: string
  /** Null: the group has no heading. */
  readonly name: string | null
  readonly options: readonly { readonly value: V; readonly disabled?: boolean; readonly content: ReactNode }[]
}

export interface OptionsProps<V extends string> {
  /** Id of the listbox; an option's id is this id, a dash and its value. */
  readonly id: string
  readonly label: string
  readonly groups: readonly OptionGroup<V>[]
  readonly selected: V | null
  readonly onTake: (value: V) => void
  /** Called on click; the focus does not move. */
  readonly onPoint?: (value: V) => void
  readonly className: string
}

/** The options of a listbox by group. The focused element names the selected option as its active descendant. */
export function Options<V extends string>(props: OptionsProps<V>) {
  const { id, label, groups, selected, onTake, onPoint, className } = props
  return groups.map((group) => (
    // biome-ignore lint/a11y/useSemanticElements: the ARIA pattern of grouped options; a fieldset is no part of a listbox
    <div key={group.id} role="group" aria-label={group.name ?? label}>
      {group.name === null ? null : (
        <div className="px-8 pt-10 pb-4 text-fg-3 label-xs" aria-hidden="true">
          {group.name}
        </div>
      )}
      {group.options.map(({ value, disabled = false, content }) => (
        // biome-ignore lint/a11y/useFocusableInteractive: options are active descendants of what has the focus
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are of what has the focus
        <div
          key={value}
          id={`${id}-${value}`}
          role="option"
          aria-selected={value === selected}
          aria-disabled={disabled}
          className={cx(
            'flex items-center px-8 rounded-5 cursor-default select-none',
            className,
            value === selected
              ? 'bg-selected forced-colors:outline-2 forced-colors:outline-[Highlight] forced-colors:-outline-offset-2'
              : onPoint === undefined && 'hover:bg-hover',
          )}
          ref={value === selected ? showOption : null}
          onMouseDown={onPoint && ((event) => event.preventDefault())}
          onMouseMove={onPoint && (() => onPoint(value))}
          onClick={() => onTake(value)}
        >
          {content}
        </div>
      ))}
    </div>
  ))
}

export interface ChoiceListProps<V extends string> extends Pick<OptionsProps<V>, 'label' | 'selected'> {
  /** Groups that match the search text. */
  readonly groups: (sought: string) => readonly OptionGroup<V>[]
  readonly onChange: (value: V) => void
  readonly searchLabel: string
  readonly none: string
}

/** A grouped list of options with one selected. A single tab stop: arrows, Home and End select, also from the search field. */
export function ChoiceList<V extends string>(props: ChoiceListProps<V>) {
  const { label, selected, onChange, searchLabel, none } = props
  const id = useId()
  const [sought, setSought] = useState('')
  const groups = props.groups(sought.trim().toLowerCase())
  const shown = groups.flatMap(({ options }) => options.map(({ value }) => value))
  const at = selected === null ? -1 : shown.indexOf(selected)
  const take = (key: string): boolean => {
    const next = shown[rowFor(key, at, 10, shown.length) ?? -1]
    if (next !== undefined) onChange(next)
    return next !== undefined
  }
  const move = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // In the search field, letters, Home and End edit the text.
    if (event.target instanceof HTMLInputElement && !event.key.startsWith('Arrow')) return
    if (take(event.key)) event.preventDefault()
  }
  const steps = useListSteps(take)
  return (
    <div className="grid grid-rows-[auto_minmax(0,1fr)] grid-cols-1 min-h-0 border-r border-line bg-panel max-[680px]:border-r-0 max-[680px]:border-b">
      <div className="px-10 py-8 border-b border-line">
        <TextField
          label={searchLabel}
          hideLabel
          placeholder={searchLabel}
          leading={<Search aria-hidden="true" />}
          value={sought}
          onChange={setSought}
          onKeyDown={move}
        />
      </div>
      {shown.length === 0 ? (
        <p className="px-10 py-20 text-fg-2 text-s text-center">{none}</p>
      ) : (
        <div
          role="listbox"
          data-steps={steps}
          data-in-screen=""
          tabIndex={0}
          className="overflow-y-auto px-6 pt-4 pb-12 outline-none focus-visible:focus-inset"
          aria-label={label}
          aria-activedescendant={at < 0 ? undefined : `${id}-${selected}`}
          onKeyDown={move}
        >
          <Options
            {...{ id, label, groups, selected }}
            onTake={onChange}
            className="gap-8 h-26 code-s leading-none [font-variant-ligatures:none] aria-selected:font-medium"
          />
        </div>
      )}
    </div>
  )
}
