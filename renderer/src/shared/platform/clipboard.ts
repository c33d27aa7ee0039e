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
