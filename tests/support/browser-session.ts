import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

/** Trades a start link's token for a session's key, as the window does. @returns the key; empty when the host refuses */
export async function openLink(link: string) {
  const { origin, hash } = new URL(link)
  const token = hash.replace('#token=', '')
  const answer = await fetchAs(`${origin}/api/session`, {
    method: 'POST',
    headers: { Origin: origin, 'X-Acuse': token },
  })
  const key: string = answer.status === 200 ? JSON.parse(answer.body).key : ''
  return { answer, key, origin, headers: { Origin: origin, 'X-Acuse': key } }
}

export interface Fetched {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Sends a request with exactly these headers, some of which `fetch` refuses to send. */
export async function fetchAs(
  url: string,
  { body = '', ...rest }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Fetched> {
  const asked = request(url, { ...rest, agent: false }).end(body)
  const [response] = await once(asked, 'response')
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}
