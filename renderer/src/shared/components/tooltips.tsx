import { Portal } from 'radix-ui'
import { Popper } from 'radix-ui/internal'
import { useEffect, useState } from 'react'
import { Kbd } from './action-keys.tsx'
import { cx } from './cx.ts'
import { floatingLayer } from './popover-panel.tsx'
import { tipOf } from './tip.ts'

/** Hover delay, so that a passing pointer opens no tooltip. */
const WAIT_MS = 450
/** Within this time after one tooltip closed, the next opens without delay. */
const READING_MS = 300

const tippedAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null

/** Tracks pointer and focus. @param show receives each change of the element to describe, or null @returns stops it */
function followTipped(page: Document, show: (element: HTMLElement | null) => void): () => void {
  const stop = new AbortController()
  let hovered: HTMLElement | null = null
  let shown: HTMLElement | null = null
  let hiddenAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const set = (element: HTMLElement | null) => {
    clearTimeout(timer)
    if (element === shown) return
    if (shown) hiddenAt = performance.now()
    shown = element
    show(element)
  }
  const listen = <K extends keyof DocumentEventMap>(
    type: K,
    listener: (event: DocumentEventMap[K]) => void,
  ) => page.addEventListener(type, listener, { capture: true, passive: true, signal: stop.signal })
  listen('pointerover', ({ target, pointerType }) => {
    const element = pointerType === 'touch' ? null : tippedAt(target)
    if (element === hovered) return
    hovered = element
    const reading = shown !== null || performance.now() - hiddenAt < READING_MS
    set(null)
    if (element && reading) set(element)
    else if (element) timer = setTimeout(() => set(element.isConnected ? element : null), WAIT_MS)
  })
  listen('focusin', ({ target }) => {
    const element = tippedAt(target)
    if (element?.matches(':focus-visible')) set(element)
  })
  for (const type of ['focusout', 'pointerdown', 'keydown', 'wheel', 'visibilitychange'] as const)
    listen(type, () => set(null))
  page.documentElement.addEventListener(
    'pointerleave',
    () => {
      hovered = null
      set(null)
    },
    { signal: stop.signal },
  )
  return () => {
    clearTimeout(timer)
    stop.abort()
  }
}

function useTipped(): HTMLElement | null {
  const [tipped, setTipped] = useState<HTMLElement | null>(null)
  useEffect(() => followTipped(document, setTipped), [])
  return tipped
}

/** One tooltip shared by all elements with a tip: one per button would cost work and code before the first rows. */
export function Tooltips() {
  const tipped = useTipped()
  const tip = tipped && tipOf(tipped)
  if (!tip) return null
  const { left, top } = tipped.getBoundingClientRect()
  // No `Tooltip` of the library: it would capture Escape, which belongs to the dialog beneath.
  return (
    <Popper.Root key={`${left} ${top}`}>
      <Popper.Anchor virtualRef={{ current: tipped }} />
      <Portal.Root container={floatingLayer()}>
        <Popper.Content
          role="tooltip"
          className={cx(
            'z-[calc(var(--layer-overlay)_+_2)] flex items-center gap-8 max-w-360 px-8 py-5 border rounded',
            'border-line-strong bg-panel text-fg shadow-float body-s wrap-anywhere pointer-events-none',
          )}
          side={tip.side ?? 'bottom'}
          sideOffset={6}
          collisionPadding={8}
        >
          {tip.content}
          {tip.kbd === undefined ? null : <Kbd>{tip.kbd}</Kbd>}
        </Popper.Content>
      </Portal.Root>
    </Popper.Root>
  )
}
