import { app } from './app.mjs'

/**
 * Chromium refuses custom schemes, so `app://host/` becomes `https://host.app-scheme.test/` for it (the domain is
 * reserved and never resolves), and the app's handler answers every request there. `location` in the page shows the https form;
 * the app sees only the original form.
 */
const DOMAIN = '-scheme.test'
const schemes = new Map()
const privileged = new Map()

export const protocol = {
  registerSchemesAsPrivileged(list) {
    if (app.isReady())
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    for (const { scheme, privileges = {} } of list) {
      if (privileges.bypassCSP) throw new Error('the stand-in refuses bypassCSP')
      privileged.set(scheme, privileges)
    }
  },
  handle(scheme, handler) {
    if (!privileged.get(scheme)?.standard || !privileged.get(scheme)?.secure)
      throw new Error(
        `the stand-in serves only schemes registered as standard and secure; '${scheme}' is not`,
      )
    schemes.set(scheme, handler)
  },
}

export const toChromium = (url) =>
  url.replace(/^([a-z]+):\/\/([^/?#]+)/, (all, scheme, host) =>
    schemes.has(scheme) ? `https://${host}.${scheme}${DOMAIN}` : all,
  )
export const fromChromium = (url) =>
  url.replace(/^https:\/\/([^/?#]+)\.([a-z]+)-scheme\.test(?=[/?#]|$)/, '$2://$1')
export const CUSTOM_URLS = `https://*${DOMAIN}/*`
export const isCustom = (url) => fromChromium(url) !== url

/** Answers a request that Chromium paused, by the handler of its scheme. @returns parameters for Fetch.fulfillRequest */
export async function serve({ url, method, headers, postData }) {
  const asked = fromChromium(url)
  const handler = schemes.get(new URL(asked).protocol.slice(0, -1))
  if (!handler) return { responseCode: 404, responseHeaders: [], body: '' }
  const body = method === 'GET' || method === 'HEAD' ? undefined : postData
  const response = await handler(new Request(asked, { method, headers, body }))
  return {
    responseCode: response.status,
    responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  }
}
