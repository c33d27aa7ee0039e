import { Download, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { Menu } from './menu.tsx'
import { useAction } from './use-action.ts'

interface ExportMenuProps {
  readonly children: ReactNode
  readonly disabled: boolean
  /** Text shown while a long export runs, which the user can cancel. Omitted for immediate exports. */
  readonly going?: string
  readonly ways: readonly {
    readonly label: string
    readonly icon?: ReactNode
    /** @returns the result message */
    readonly run: (signal: AbortSignal) => Promise<string>
  }[]
}

/** Exports the shown data in one of several formats, and reports the result. */
export function ExportMenu({ children, disabled, going, ways }: ExportMenuProps) {
  const { t } = useTranslation()
  const action = useAction()
  const [said, setSaid] = useState('')
  const giveUp = useRef<AbortController>(undefined)
  const start = (run: (signal: AbortSignal) => Promise<string>) =>
    action.run(async () => {
      setSaid('')
      giveUp.current = new AbortController()
      const { signal } = giveUp.current
      try {
        setSaid(await run(signal))
      } catch (reason) {
        if (!signal.aborted) throw reason
      }
    })
  const runs = action.busy && going !== undefined
  return (
    <>
      <span role="status" className="text-fg-2 text-s tabular-nums whitespace-nowrap empty:hidden">
        {runs ? going : (action.refused ?? said)}
      </span>
      {runs ? (
        <IconButton label={t('cancel')} icon={<X />} onClick={() => giveUp.current?.abort()} />
      ) : (
        <Menu
          align="end"
          trigger={
            <Button icon={<Download />} disabled={disabled}>
              {children}
            </Button>
          }
          entries={ways.map(({ run, ...way }) => ({
            ...way,
            type: 'item',
            onSelect: () => void start(run),
          }))}
        />
      )}
    </>
  )
}
