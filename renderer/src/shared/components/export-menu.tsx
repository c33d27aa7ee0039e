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
  /** What is said of one that runs: it can be given up. Left out: it is done at once. */
  readonly going?: string
  readonly ways: readonly {
    readonly label: string
    readonly icon?: ReactNode
    /** @returns what came of it */
    readonly run: (signal: AbortSignal) => Promise<string>
  }[]
}

/** Hands out what is seen, in one of several ways, and says what came of it. */
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
            ...{ ...way, type: 'item', onSelect: () => void start(run) },
          }))}
        />
      )}
    </>
  )
}
