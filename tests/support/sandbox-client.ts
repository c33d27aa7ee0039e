import type { Sandbox } from '#sandbox/sandbox.ts'
import type { ReadySandbox } from './host.ts'
import { until } from './until.ts'

export interface JsonAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  readonly body: any
}

/** Makes a client of a sandbox that a command runs. */
export const clientOf = ({ sandbox, admin, ...keys }: ReadySandbox) =>
  new SandboxClient({ ...keys, url: sandbox, adminToken: admin })

export class SandboxClient {
  readonly #sandbox: Pick<Sandbox, 'url' | 'adminToken' | 'apiKey' | 'pluginToken'>

  constructor(sandbox: Pick<Sandbox, 'url' | 'adminToken' | 'apiKey' | 'pluginToken'>) {
    this.#sandbox = sandbox
  }

  admin(method: string, path: string, body?: unknown): Promise<JsonAnswer> {
    const headers = { Authorization: `Bearer ${this.#sandbox.adminToken}` }
    return this.send(method, `/_sandbox${path}`, headers, body)
  }

  /** Gets a page of a sync route with the API key. */
  sync(route: 'accounting-sync' | 'treasury-sync', query: Readonly<Record<string, string | number>> = {}) {
    const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    return this.send('GET', `/api/v1/documents/${route}?${text}`, { 'X-Api-Key': this.#sandbox.apiKey })
  }

  /** @param body a text is sent unchanged, other values as JSON */
  publish(
    body: unknown,
    headers: Record<string, string> = { Authorization: `Bearer ${this.#sandbox.pluginToken}` },
  ) {
    return this.send('POST', '/api/v1/plugins/events', headers, body)
  }

  async send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<JsonAnswer> {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const answer = await fetch(this.#sandbox.url + path, { method, headers, body: text ?? null })
    const content = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: answer.headers.get('content-type')?.includes('application/json') ? JSON.parse(content) : content,
    }
  }

  /** Waits until all deliveries of a run have ended. @returns their log entries */
  async ended(run: string): Promise<JsonAnswer['body'][]> {
    const log = () => this.admin('GET', `/log?run=${run}&limit=1000`)
    return (await until(log, ({ body }) => body.pending === 0)).body.entries
  }
}
