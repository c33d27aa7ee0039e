/** The keyboard was meant for a list that was not there. */
let meant = false

/** Gives the keyboard to the list, or to the next one that comes. @param seen the row pointed at shows even after a press of the pointer */
export function focusGrid(seen = false): void {
  const grid = document.querySelector<HTMLElement>('[data-grid]')
  meant = !grid
  if (grid) grid.focus({ preventScroll: true, ...(seen ? { focusVisible: true } : {}) })
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

/** A list has come: it takes the keyboard that was meant for it, unless something else has it. */
export function gridCame(): void {
  if (meant && document.activeElement === document.body) focusGrid()
  meant = false
}

/** To the headings: the one that the list is ordered by, or the first. */
export function focusHeadings(): void {
  const sorted = document.querySelector<HTMLElement>('[aria-sort] [data-heading]')
  ;(sorted ?? document.querySelector<HTMLElement>('[data-heading]'))?.focus()
}

export function focusFilter(): void {
  const field = document.querySelector<HTMLInputElement>('[data-filter]')
  field?.focus()
  field?.select()
}

/** Into the details: their chosen tab, or the pane itself while it has none. */
export function focusDetail(): void {
  const pane = document.querySelector<HTMLElement>('[data-detail]')
  const tab = pane?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')
  ;(tab ?? pane)?.focus({ preventScroll: true })
}

/** Whether keys are text there, or belong to a dialog, a menu or a list of choices that came over the screen. */
export function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  const own =
    'input:not([type="checkbox"],[type="radio"]),textarea,select,[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"]:not([data-in-screen])'
  return target.closest(own) !== null
}

/** Whether Space and Enter press what is focused. */
export function isPressable(target: EventTarget | null): boolean {
  const own =
    'button,a[href],summary,[role="tab"],[role="button"],[role="checkbox"],[role="switch"],[role="treeitem"],[role="separator"],input'
  return target instanceof HTMLElement && target.closest(own) !== null
}

/** Whether the list has the focus, or nothing has: then keys that move and choose are the list's. */
export function inList(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof Element && target.closest('[data-grid]') !== null)
}

export const onHeading = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-heading]') !== null
