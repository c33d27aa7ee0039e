/** Only pages of our own origin, which includes the port, can read it. */
const STORED = 'acuse.session'
const START_LINK = /^#token=([\w-]+)$/

/**
 * The key of this browser's session with the host, or null without one. A start link is taken out of the address before anything
 * else and traded for a key, which all tabs of this origin then share.
 */
export function takeSession(): Promise<string | null> {
  // A link pasted into an open window changes only the hash, and loads nothing.
  addEventListener('hashchange', () => {
    const token = takeToken()
    if (token !== null) void trade(token).then(() => location.reload())
  })
  const token = takeToken()
  return token === null ? Promise.resolve(storedSession()) : trade(token)
}

/** Forgets a key that the host no longer knows, and shows what is to be done then. */
export function endSession(key: string): void {
  // Another tab may have opened a fresh link in the meantime.
  if (storedSession() === key) store(null)
  location.reload()
}

/** Runs once another tab has opened a session. */
export function onSession(run: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === STORED && event.newValue !== null) run()
  })
}

function takeToken(): string | null {
  const token = START_LINK.exec(location.hash)?.[1]
  if (token === undefined) return null
  history.replaceState(null, '', location.pathname)
  return token
}

async function trade(token: string): Promise<string | null> {
  const headers = { 'X-Acuse': token }
  const answer = await fetch('/api/session', { method: 'POST', headers }).catch(() => undefined)
  // A link that was used before still leads a browser with a session to the window.
  if (!answer?.ok) return storedSession()
  const { key } = (await answer.json()) as { readonly key: string }
  store(key)
  return key
}

function storedSession(): string | null {
  try {
    return localStorage.getItem(STORED)
  } catch {
    return null
  }
}

function store(key: string | null): void {
  try {
    if (key === null) localStorage.removeItem(STORED)
    else localStorage.setItem(STORED, key)
  } catch {
    // Without storage the session lasts as long as the page.
  }
}
