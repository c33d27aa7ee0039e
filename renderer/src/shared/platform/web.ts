/** Opens a window of the desktop app, or a tab, with a screen, a filter and details of its own. @param hash such as `#/delivery/42` */
export function openNewWindow(hash: string): void {
  window.open(`${location.pathname}${hash}`, '_blank', 'noopener')
}

export const openSameAgain = (): void => openNewWindow(location.hash)

export const openAlone = (id: number): void => openNewWindow(`#/delivery/${id}`)

/** What the browser says about notifications; `unsupported` where it has none, or the desktop app shows them itself. */
export type NoticePermission = NotificationPermission | 'unsupported'

/** @param nativeWindow the desktop app shows notifications of its own */
export function noticePermission(nativeWindow: boolean): NoticePermission {
  return nativeWindow || typeof Notification === 'undefined' ? 'unsupported' : Notification.permission
}

/** Asks the user. Called only from the press of a button. */
export async function askForNotices(): Promise<NoticePermission> {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.requestPermission()
}

/** Shows a notification of the browser where it was allowed; one of the same tag takes its place. */
export function showNotice(
  { title, body, tag }: { readonly title: string; readonly body: string; readonly tag: string },
  onClick: () => void,
): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  try {
    const notice = new Notification(title, { body, tag })
    notice.addEventListener('click', () => {
      window.focus()
      notice.close()
      onClick()
    })
  } catch {
    // Some browsers allow notifications to service workers only; the window shows the same in its corner.
  }
}

/**
 * Copies through the clipboard API, and through a selected text field where the page may not use it: a browser host
 * reached over plain HTTP from another machine (an SSH tunnel under another name) is no secure context.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text)
      return
    } catch {
      // Permission refused: the old way below needs none.
    }
  }
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('readonly', '')
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const focused = document.activeElement
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!copied) throw new Error('the browser did not allow copying')
}
