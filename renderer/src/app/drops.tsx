import { useEffect, useState } from 'react'
import { type GivenFile, useOver } from '@/shared/live/layers.ts'
import { isAsking } from './actions.ts'

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/** An open dialog must be answered first, except the file check itself, which accepts another file at any time. */
const taken = (): boolean => useOver.getState().shown !== 'file-check' && isAsking()

function givenBy(data: DataTransfer): GivenFile {
  const [first] = data.items
  const folder = first?.webkitGetAsEntry?.()?.isDirectory ?? false
  return { file: folder ? null : (data.files[0] ?? null), others: Math.max(0, data.files.length - 1) }
}

/** Checks a file dropped anywhere on the window. Without this the browser would navigate to the file. */
function useFileDrop(): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      const refused = taken()
      if (event.dataTransfer) event.dataTransfer.dropEffect = refused ? 'none' : 'copy'
      setOver(!refused)
    }
    // Moving between elements also fires `dragleave`; only without a related target has the pointer left the window.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!event.dataTransfer || !holdsFiles(event)) return
      event.preventDefault()
      if (!taken()) useOver.getState().give(givenBy(event.dataTransfer))
    }
    const stop = new AbortController()
    const { signal } = stop
    window.addEventListener('dragenter', drag, { signal })
    window.addEventListener('dragover', drag, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => stop.abort()
  }, [])
  return over
}

export function Drops() {
  return useFileDrop() ? (
    <div className="fixed z-[calc(var(--layer-overlay)+2)] inset-6 border-2 border-dashed border-accent rounded-10 bg-[color-mix(in_srgb,var(--accent)_10%,transparent)] pointer-events-none" />
  ) : null
}
