/**
 * The page's half of contextBridge; its source is injected into the main world of every document. Both halves use DOM events,
 * whose `detail` Chromium clones between worlds, so the page cannot reach objects of the preload world. Functions and
 * promises pass as numbers.
 */
export function mainWorld({ walk, isPlain }) {
  const functions = new Map()
  const promises = new Map()
  let last = 0
  let returned

  const outward = (value) =>
    walk(value, (part) => {
      if (typeof part !== 'function') return part
      last += 1
      functions.set(last, part)
      return { pageFunction: last }
    })
  const inward = (value) =>
    walk(value, (part) => {
      if (part?.preloadFunction) return (...args) => call(part.preloadFunction, args)
      if (part?.preloadPromise)
        return new Promise((resolve, reject) => promises.set(part.preloadPromise, { resolve, reject }))
      return part
    })
  const freeze = (value) => {
    if (isPlain(value)) for (const member of Object.values(value)) freeze(member)
    return typeof value === 'object' ? Object.freeze(value) : value
  }

  function call(id, args) {
    returned = undefined
    window.dispatchEvent(new CustomEvent('stand-in:call', { detail: { id, args: args.map(outward) } }))
    const { value, error } = returned ?? { error: 'the preload world did not answer' }
    if (error !== undefined) throw new Error(error)
    return inward(value)
  }

  window.addEventListener('stand-in:return', ({ detail }) => {
    returned = detail
  })
  window.addEventListener('stand-in:callback', ({ detail }) =>
    functions.get(detail.id)?.(...detail.args.map(inward)),
  )
  window.addEventListener('stand-in:settle', ({ detail }) => {
    const promise = promises.get(detail.id)
    promises.delete(detail.id)
    if (detail.error === undefined) promise?.resolve(inward(detail.value))
    else promise?.reject(new Error(detail.error))
  })
  window.addEventListener('stand-in:expose', ({ detail }) => {
    Object.defineProperty(window, detail.key, { value: freeze(inward(detail.value)), enumerable: true })
  })

  // Chromium would open the popup first and report it afterwards; closing it then may leave its opener hanging. Electron
  // asks first and gives null when the app denies.
  window.open = (url = '') => {
    window.dispatchEvent(new CustomEvent('stand-in:open', { detail: new URL(url, location.href).href }))
    return null
  }
  window.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[target="_blank"]') : null
    if (!link || event.defaultPrevented) return
    event.preventDefault()
    window.open(link.href)
  })
}
