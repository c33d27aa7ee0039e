import { useTranslation } from 'react-i18next'
import { type Action, type Keys, keysOf } from '@/shared/actions/action.ts'

export function Kbd({ children }: { readonly children: string }) {
  const nameOf = useKeyName()
  return (
    <kbd className="px-4 py-2 border border-line rounded-4 text-fg-3 whitespace-nowrap [font:10px_/_1_var(--font-code)]">
      {children.split(' ').map(nameOf).join(' ')}
    </kbd>
  )
}

/** Keys with a translated name; the other keys show a symbol. */
const NAMED = ['space', 'Del', 'Shift', 'Enter', 'Home', 'End', 'PgUp', 'PgDn'] as const

function useKeyName(): (key: string) => string {
  const { t } = useTranslation('shell')
  return (key) => {
    const named = NAMED.find((one) => one === key)
    return named ? t(`keyNames.${named}`) : key
  }
}

export function ActionKeys({ keys }: { readonly keys: Keys }) {
  return keys.map((sequence) => (
    <span key={sequence.join()} className="inline-flex gap-3">
      {sequence.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </span>
  ))
}

export function useKeyHint(): (action: Action) => string {
  const nameOf = useKeyName()
  return (action) => (keysOf(action)[0] ?? []).map(nameOf).join(' ')
}
