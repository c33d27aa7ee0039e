/** Hands text to the browser as a file to be saved. */
export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken hold of the blob by the time this comes round.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
