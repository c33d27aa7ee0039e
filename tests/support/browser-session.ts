import { request } from 'node:http'
import { rawRequest, type TextAnswer } from './raw-client.ts'

/** What a browser does with a start link: opens it and keeps the cookie. */
export async function openLink(
  link: string,
): Promise<{ answer: TextAnswer; cookie: string; origin: string }> {
  const { host, port, origin, pathname, search } = new URL(link)
  const answer = await rawRequest(Number(port), [
    `GET ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    'Sec-Fetch-Site: none',
    'Sec-Fetch-Mode: navigate',
    'Accept: text/html',
    'Connection: close',
  ])
  return { answer, cookie: answer.header('set-cookie')[0]?.split(';')[0] ?? '', origin }
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
