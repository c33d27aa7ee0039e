import type { Sandbox } from '#sandbox/sandbox.ts'

export interface JsonAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  readonly body: any
}

export class SandboxClient {
  readonly #sandbox: Pick<Sandbox, 'url' | 'adminToken' | 'apiKey' | 'pluginToken'>

  constructor(sandbox: Pick<Sandbox, 'url' | 'adminToken' | 'apiKey' | 'pluginToken'>) {
    this.#sandbox = sandbox
  }

  admin(method: string, path: string, body?: unknown): Promise<JsonAnswer> {
    return this.send(
      method,
      `/_sandbox${path}`,
      { Authorization: `Bearer ${this.#sandbox.adminToken}` },
      body,
    )
  }

  /** GET of a sync route with the API key. */
  sync(route: 'accounting-sync' | 'treasury-sync', query: Readonly<Record<string, string | number>> = {}) {
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    ).toString()
    return this.send('GET', `/api/v1/documents/${route}?${text}`, { 'X-Api-Key': this.#sandbox.apiKey })
  }

  /** @param body text is sent as it is, anything else as JSON */
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
    const answer = await fetch(this.#sandbox.url + path, {
      method,
      headers,
      ...(text === undefined ? {} : { body: text }),
    })
    const content = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: answer.headers.get('content-type')?.includes('application/json') ? JSON.parse(content) : content,
    }
  }

  /** The log's entries of a call, once all its deliveries have ended. */
  async ended(run: string): Promise<JsonAnswer['body'][]> {
    for (;;) {
      const { body } = await this.admin('GET', `/log?run=${run}&limit=1000`)
      if (body.pending === 0) return body.entries
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}
