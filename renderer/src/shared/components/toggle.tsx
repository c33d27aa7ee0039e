import { Check, Minus } from 'lucide-react'
import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'

const CONTROL =
  'p-0 border border-fg-3 focus-visible:outline-offset-2 disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent forced-colors:data-[state=checked]:bg-[Highlight] forced-colors:data-[state=checked]:forced-color-adjust-none'

export interface ToggleProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly hideLabel?: boolean
  readonly disabled?: boolean
}

interface ToggleControl {
  readonly id: string
  readonly disabled: boolean
  readonly 'aria-describedby': string | undefined
  readonly 'aria-label'?: string
}

function ToggleRow(props: ToggleProps & { readonly children: (control: ToggleControl) => ReactNode }) {
  const { label, hint, hideLabel, disabled = false, children } = props
  const id = useId()
  return (
    <div className="grid grid-cols-[auto_1fr] items-center gap-x-8 gap-y-2">
      {children({
        id,
        disabled,
        'aria-describedby': hint ? `${id}-hint` : undefined,
        ...(hideLabel ? { 'aria-label': label } : {}),
      })}
      {hideLabel ? null : (
        <label htmlFor={id} className={cx('text-s leading-[1.4]', disabled ? 'text-fg-3' : 'text-fg')}>
          {label}
        </label>
      )}
      {hint ? (
        <div id={`${id}-hint`} className="col-[2] text-fg-3 text-xs leading-[1.4]">
          {hint}
        </div>
      ) : null}
    </div>
  )
}

interface Checked<State> extends ToggleProps {
  readonly checked: State
  readonly onChange: (checked: boolean) => void
}

export function Checkbox({ checked, onChange, ...row }: Checked<boolean | 'indeterminate'>) {
  return (
    <ToggleRow {...row}>
      {(control) => (
        <RadixCheckbox.Root
          {...control}
          className={cx(CONTROL, 'grid place-items-center rounded-4 bg-bg text-on-accent size-15')}
          checked={checked}
          onCheckedChange={(now) => onChange(now === true)}
        >
          <RadixCheckbox.Indicator className="grid [&_svg]:size-11 [&_svg]:[stroke-width:3]">
            {checked === 'indeterminate' ? <Minus aria-hidden="true" /> : <Check aria-hidden="true" />}
          </RadixCheckbox.Indicator>
        </RadixCheckbox.Root>
      )}
    </ToggleRow>
  )
}

export function Switch({ checked, onChange, ...row }: Checked<boolean>) {
  return (
    <ToggleRow {...row}>
      {(control) => (
        <RadixSwitch.Root
          {...control}
          className={cx(
            CONTROL,
            'relative w-28 h-16 rounded-8 bg-sunken [transition:background-color_var(--ease),border-color_var(--ease)]',
          )}
          checked={checked}
          onCheckedChange={onChange}
        >
          <RadixSwitch.Thumb
            className={cx(
              'block m-2 rounded-[50%] bg-fg-3 size-10 [transition:transform_var(--ease)]',
              'data-[state=checked]:bg-on-accent data-[state=checked]:[transform:translateX(12px)]',
              'forced-colors:bg-[ButtonText] forced-colors:data-[state=checked]:bg-[HighlightText]',
            )}
          />
        </RadixSwitch.Root>
      )}
    </ToggleRow>
  )
}
