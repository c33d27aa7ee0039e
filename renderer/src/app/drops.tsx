import { FileSearch, Import } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '#contract/errors.ts'
import { filesOfDrop, usePicked } from '@/features/transfer/picked-files.ts'
import { cx } from '@/shared/components/cx.ts'
import { type GivenFile, useOver } from '@/shared/live/layers.ts'
import { useStatus } from '@/shared/live/status.ts'
import { isAsking } from './actions.ts'

type Target = 'import' | 'file-check'

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/** What a drop can do now. An open dialog must be answered first, but its own files it takes at any time. */
function targetsNow(data: DataTransfer | null): readonly Target[] {
  const { shown } = useOver.getState()
  if (shown === 'import') return usePicked.getState().busy ? [] : [shown]
  if (shown === 'file-check') return [shown]
  if (isAsking()) return []
  // The check takes one file; a session takes in nothing.
  const taking: Target[] = useStatus.getState().info?.session ? [] : ['import']
  return (data?.items.length ?? 0) > 1 ? taking : [...taking, 'file-check']
}

/** The target under the pointer; elsewhere the first. */
const targetAt = ({ target }: DragEvent, targets: readonly Target[]): Target | undefined => {
  const zone =
    target instanceof Element ? target.closest<HTMLElement>('[data-drop]')?.dataset.drop : undefined
  return targets.find((one) => one === zone) ?? targets[0]
}

function checked(data: DataTransfer): void {
  const [first] = data.items
  const folder = first?.webkitGetAsEntry?.()?.isDirectory ?? false
  const given: GivenFile = {
    file: folder ? null : (data.files[0] ?? null),
    others: Math.max(0, data.files.length - 1),
  }
  useOver.getState().give(given)
}

function imported(data: DataTransfer): void {
  const { pick, fail } = usePicked.getState()
  filesOfDrop(data).then(pick, (error: unknown) => fail(messageOf(error)))
  const { shown, show } = useOver.getState()
  if (shown !== 'import') show('import')
}

interface Dragged {
  readonly targets: readonly Target[]
  readonly over: Target | undefined
}

/** Takes files dropped anywhere on the window. Without this the browser would navigate to the file. */
function useFileDrop(): Dragged | null {
  const [dragged, setDragged] = useState<Dragged | null>(null)
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      const targets = targetsNow(event.dataTransfer)
      const over = targetAt(event, targets)
      if (event.dataTransfer) event.dataTransfer.dropEffect = over ? 'copy' : 'none'
      setDragged((now) =>
        now?.over === over && now?.targets.length === targets.length ? now : over ? { targets, over } : null,
      )
    }
    // Moving between elements also fires `dragleave`; only without a related target has the pointer left the window.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragged(null)
    }
    const drop = (event: DragEvent) => {
      setDragged(null)
      if (!event.dataTransfer || !holdsFiles(event)) return
      event.preventDefault()
      const over = targetAt(event, targetsNow(event.dataTransfer))
      if (over) TAKE[over](event.dataTransfer)
    }
    const stop = new AbortController()
    const { signal } = stop
    window.addEventListener('dragenter', drag, { signal })
    window.addEventListener('dragover', drag, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => stop.abort()
  }, [])
  return dragged
}

const TAKE = { import: imported, 'file-check': checked } as const

/** Shows where files can be dropped while the user drags them. */
export function Drops() {
  const { t } = useTranslation('imports')
  const dragged = useFileDrop()
  if (!dragged) return null
  const { targets, over } = dragged
  const zone = (target: Target, icon: ReactNode, title: string, hint: string) => (
    <div
      data-drop={target}
      className={cx(
        'grid content-center justify-items-center gap-6 p-24 border-2 border-dashed rounded-10 text-center [&_svg]:size-28',
        target === over
          ? 'border-accent bg-[color-mix(in_srgb,var(--accent)_16%,var(--panel))] text-accent-text'
          : 'border-line-strong bg-panel text-fg-2',
      )}
    >
      {icon}
      <b className="heading-l">{title}</b>
      <span className="text-s">{hint}</span>
    </div>
  )
  return (
    <section
      aria-label={t('title')}
      className={cx(
        'fixed z-[calc(var(--layer-overlay)+2)] inset-0 grid gap-12 p-12 bg-[rgb(10_12_16_/_0.42)]',
        targets.length > 1 ? 'grid-cols-[2fr_1fr]' : 'grid-cols-1',
      )}
    >
      {targets.includes('import') ? zone('import', <Import />, t('dropHere'), t('dropHint')) : null}
      {targets.includes('file-check')
        ? zone('file-check', <FileSearch />, t('checkHere'), t('checkHint'))
        : null}
    </section>
  )
}
