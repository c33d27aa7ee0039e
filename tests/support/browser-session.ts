import { request } from 'node:http'

/** What the window does with a start link: trades its token for the key of a session. @returns the key; empty when it gets none */
export async function openLink(
  link: string,
): Promise<{ answer: Fetched; key: string; origin: string; headers: Record<string, string> }> {
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

/** A request with exactly these headers: `fetch` would refuse to send some of them. */
export function fetchAs(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const { body = '', ...rest } = options
    const asked = request(url, { ...rest, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts).toString(),
        }),
      )
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
