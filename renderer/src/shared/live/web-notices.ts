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
