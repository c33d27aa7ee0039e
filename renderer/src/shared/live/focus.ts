/** The focus was requested for a list that was not mounted yet. */
let meant = false

/** Focuses the list, or the next one that mounts. @param seen show the cursor row even after a click */
export function focusGrid(seen = false): void {
  const grid = document.querySelector<HTMLElement>('[data-grid]')
  meant = !grid
  if (grid) grid.focus({ preventScroll: true, ...(seen ? { focusVisible: true } : {}) })
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

/** Call it when a list mounts: it takes a requested focus unless another element has the focus. */
export function gridCame(): void {
  if (meant && document.activeElement === document.body) focusGrid()
  meant = false
}

/** Focuses the headings: the sorted one, or the first. */
export function focusHeadings(): void {
  const sorted = document.querySelector<HTMLElement>('[aria-sort] [data-heading]')
  ;(sorted ?? document.querySelector<HTMLElement>('[data-heading]'))?.focus()
}

export function focusFilter(): void {
  const field = document.querySelector<HTMLInputElement>('[data-filter]')
  field?.focus()
  field?.select()
}

/** Focuses the details: their active tab, or the pane while it has none. */
export function focusDetail(): void {
  const pane = document.querySelector<HTMLElement>('[data-detail]')
  const tab = pane?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')
  ;(tab ?? pane)?.focus({ preventScroll: true })
}

/** Whether the element keeps its keys: text input, a dialog, a menu or an open list of options. */
export function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  const own =
    'input:not([type="checkbox"],[type="radio"]),textarea,select,[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"]:not([data-in-screen])'
  return target.closest(own) !== null
}

/** Whether Space and Enter activate the focused element. */
export function isPressable(target: EventTarget | null): boolean {
  const own =
    'button,a[href],summary,[role="tab"],[role="button"],[role="checkbox"],[role="switch"],[role="treeitem"],[role="separator"],input'
  return target instanceof HTMLElement && target.closest(own) !== null
}

/** Whether the list has the focus, or no element has it: then movement and selection keys go to the list. */
export function inList(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof Element && target.closest('[data-grid]') !== null)
}

export const onHeading = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-heading]') !== null
