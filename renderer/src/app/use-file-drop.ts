import { useEffect, useState } from 'react'
import { type GivenFile, useOver } from '@/shared/live/over.ts'

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/** A question that is open must be answered first; our own dialog takes another file at any time. */
const taken = (): boolean =>
  useOver.getState().shown !== 'file-check' &&
  document.querySelector('[role="dialog"],[role="alertdialog"]') !== null

function givenBy(data: DataTransfer): GivenFile {
  const [first] = data.items
  const folder = first?.webkitGetAsEntry?.()?.isDirectory ?? false
  return { file: folder ? null : (data.files[0] ?? null), others: Math.max(0, data.files.length - 1) }
}

/**
 * A file dropped anywhere on the window is checked. Without this the browser would leave the window for the file.
 * @returns whether a file is held over the window that may be dropped
 */
export function useFileDrop(): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      const refused = taken()
      if (event.dataTransfer) event.dataTransfer.dropEffect = refused ? 'none' : 'copy'
      setOver(!refused)
    }
    // Going from one element to another leaves the first: only what goes nowhere has left the window.
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
