import { Check, Copy, TriangleAlert } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '@/shared/live/api.ts'
import { Button, type ButtonVariant } from './button.tsx'
import { IconButton } from './icon-button.tsx'

export interface CopyButtonProps {
  readonly text: string | (() => string | Promise<string>)
  readonly label?: string
  readonly children?: string
  readonly variant?: ButtonVariant
  readonly small?: boolean
  /** Distinguishes two neighbouring copy buttons. */
  readonly icon?: ReactNode
  readonly ref?: Ref<{ copy(): void }>
}

const SIGNS = { none: null, copied: <Check className="text-valid" />, failed: <TriangleAlert /> }
type Outcome = keyof typeof SIGNS
const SHOWN_MS = 1600

export function CopyButton(props: CopyButtonProps) {
  const { text, label, children, variant = 'quiet', small = false, icon: own, ref } = props
  const { t } = useTranslation('components')
  const [outcome, setOutcome] = useState<Outcome>('none')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async () => {
    let result: Outcome = 'copied'
    try {
      await api.copy(typeof text === 'string' ? text : await text())
    } catch {
      result = 'failed'
    }
    setOutcome(result)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOutcome('none'), SHOWN_MS)
  }
  useImperativeHandle(ref, () => ({ copy: () => void copy() }))
  const icon = SIGNS[outcome] ?? own ?? <Copy />
  const name = label ?? t('copy.label')
  return (
    <>
      {children === undefined ? (
        <IconButton label={name} small={small} icon={icon} onClick={() => void copy()} />
      ) : (
        <Button variant={variant} small={small} icon={icon} onClick={() => void copy()} aria-label={label}>
          {children}
        </Button>
      )}
      <span role="status" className="visually-hidden">
        {outcome === 'none' ? '' : t(`copy.${outcome}`)}
      </span>
    </>
  )
}

/** Styles of an address or a path. */
export const ADDRESS =
  'inline-flex items-center gap-2 min-w-0 text-fg-2 code-s [font-variant-ligatures:none] wrap-anywhere select-text'

/** An address, a path or the like, with a copy button. */
export function Address({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className={ADDRESS}>
      {text}
      <CopyButton small text={text} label={label} />
    </span>
  )
}
