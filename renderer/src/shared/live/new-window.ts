/**
 * Opens a window that shows another place of the same host: a window of the desktop app, or a tab of the browser. Each has a screen, a
 * filter and details of its own.
 * @param hash such as `#/delivery/42`
 */
export function openNewWindow(hash: string): void {
  window.open(`${location.pathname}${hash}`, '_blank', 'noopener')
}

/** What this window shows, once more. */
export const openSameAgain = (): void => openNewWindow(location.hash)

/** One delivery alone. */
export const openAlone = (id: number): void => openNewWindow(`#/delivery/${id}`)
