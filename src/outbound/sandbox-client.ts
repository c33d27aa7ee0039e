import { type IncomingMessage, request } from 'node:http'
import type { Params, Result } from '#contract/commands.ts'
import { AcuseError, type ErrorCode } from '#contract/errors.ts'
import type { SandboxLogQuery, SandboxSubscription } from '#contract/sandbox.ts'
import type { SandboxCallName } from '#contract/sandbox-commands.ts'

/** Where a sandbox's admin API is, and what opens it. */
export interface SandboxAddress {
  /** Without a slash at its end. */
  readonly url: string
  readonly adminToken: string
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Under /_sandbox, its parts encoded. */
  readonly path: string
  readonly body?: unknown
}

const get = (path: string): Call => ({ method: 'GET', path })
const post = (path: string, body?: unknown): Call => ({ method: 'POST', path, body })
const put = (path: string, body: unknown): Call => ({ method: 'PUT', path, body })
const remove = (path: string): Call => ({ method: 'DELETE', path })
const part = (text: string): string => encodeURIComponent(text.toWellFormed())

function log(query: SandboxLogQuery, brief: boolean): Call {
  const search = new URLSearchParams({ brief: String(brief) })
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return get(`/log?${search}`)
}

/** Each command as a call of the admin API (docs/reference/sandbox-api.md). */
const CALLS: { readonly [C in SandboxCallName]: (params: Params<C>) => Call } = {
  'sandbox.state': () => get('/state'),
  'sandbox.set-workspace': (change) => put('/workspace', change),
  'sandbox.reset': (options) => post('/reset', options),
  'sandbox.subscriptions': () => get('/subscriptions'),
  'sandbox.save-subscription': ({ id, ...change }) =>
    id === undefined ? post('/subscriptions', change) : put(`/subscriptions/${id}`, change),
  'sandbox.remove-subscription': ({ id }) => remove(`/subscriptions/${id}`),
  'sandbox.test-subscription': ({ id }) => post(`/subscriptions/${id}/test`),
  'sandbox.operations': () => get('/operations'),
  'sandbox.perform': ({ name, params }) => post(`/operations/${part(name)}`, params),
  'sandbox.emit': (emission) => post('/emit', emission),
  'sandbox.send': (edited) => post('/send', edited),
  'sandbox.preview': (asked) => post('/preview', asked),
  'sandbox.scenario': ({ slug, ...options }) => post(`/scenarios/${part(slug)}`, options),
  'sandbox.run': ({ run }) => get(`/runs/${part(run)}`),
  'sandbox.stop-run': ({ run }) => remove(`/runs/${part(run)}`),
  'sandbox.traffic': () => get('/traffic'),
  'sandbox.start-traffic': (settings) => post('/traffic', settings),
  'sandbox.stop-traffic': () => remove('/traffic'),
  'sandbox.laboratory': () => get('/laboratory'),
  'sandbox.set-laboratory': (change) => put('/laboratory', change),
  'sandbox.clear-laboratory': () => remove('/laboratory'),
  'sandbox.log': (query) => log(query, true),
  'sandbox.log-entries': (query) => log(query, false),
  'sandbox.log-entry': ({ id }) => get(`/log/${id}`),
  'sandbox.keys': () => get('/keys'),
  'sandbox.issue-key': (settings) => post('/keys', settings),
  'sandbox.revoke-key': ({ id }) => remove(`/keys/${id}`),
  'sandbox.plugins': () => get('/plugins'),
  'sandbox.install-plugin': (settings) => post('/plugins', settings),
  'sandbox.change-plugin': ({ id, ...change }) => put(`/plugins/${id}`, change),
  'sandbox.remove-plugin': ({ id }) => remove(`/plugins/${id}`),
}

/** The admin API gives header values as they are. */
const unmasked = (one: SandboxSubscription): SandboxSubscription => ({
  ...one,
  headers: one.headers.map(({ name, value }) => ({ name, value, masked: false })),
})

/** Where the command's result has more to it than the answer of the call. */
const COMPLETED: { readonly [C in SandboxCallName]?: (result: Result<C>) => Result<C> } = {
  'sandbox.subscriptions': ({ subscriptions }) => ({ subscriptions: subscriptions.map(unmasked) }),
  'sandbox.save-subscription': unmasked,
}

/**
 * Carries out a command at a sandbox, by HTTP.
 * @throws AcuseError with the sandbox's own sentence when it refuses; `not-available` when it cannot be reached
 */
export async function callSandbox<C extends SandboxCallName>(
  address: SandboxAddress,
  command: C,
  params: Params<C>,
): Promise<Result<C>> {
  const { status, content } = await exchanged(address, CALLS[command](params))
  if (status >= 300) throw refusal(address.url, status, content)
  // The admin API is of the same release, and its tests hold it to these shapes.
  const result = content as Result<C>
  const complete: ((result: Result<C>) => Result<C>) | undefined = COMPLETED[command]
  return complete ? complete(result) : result
}

interface Answered {
  readonly status: number
  readonly content: unknown
}

function exchanged({ url, adminToken }: SandboxAddress, { method, path, body }: Call): Promise<Answered> {
  const bytes = body === undefined ? undefined : Buffer.from(written(body))
  return new Promise((resolve, reject) => {
    const unreachable = (error: Error) =>
      reject(
        new AcuseError(
          'not-available',
          `The sandbox at ${url} did not answer: ${error.message || String(error)}`,
        ),
      )
    const call = request(
      `${url}/_sandbox${path}`,
      {
        method,
        // A kept connection could be closed by the sandbox just as the next call is written to it.
        agent: false,
        headers: {
          Authorization: `Bearer ${adminToken}`,
          ...(bytes ? { 'Content-Type': 'application/json', 'Content-Length': bytes.length } : {}),
        },
      },
      (response) => void received(response).then(resolve, unreachable),
    )
    call.on('error', unreachable)
    call.end(bytes)
  })
}

async function received(response: IncomingMessage): Promise<Answered> {
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece)
  return { status: response.statusCode ?? 0, content: JSON.parse(Buffer.concat(pieces).toString('utf8')) }
}

function written(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch {
    // JSON.stringify descends by recursion, JSON.parse does not: content that was read may be too deep to be written.
    throw new AcuseError('bad-params', 'The content is nested too deeply to be sent to the sandbox.')
  }
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'bad-params',
  401: 'forbidden',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  413: 'bad-params',
}

/** @param content should be the error body: {"error": {"code", "message", "field"}} */
function refusal(url: string, status: number, content: unknown): AcuseError {
  const { code, message, field } = (content as Partial<ErrorBody> | null)?.error ?? {}
  if (typeof code !== 'string' || typeof message !== 'string')
    return new AcuseError('not-available', `What answers at ${url} is no sandbox (status ${status}).`)
  return new AcuseError(CODES[status] ?? 'internal', message, {
    sandbox: code,
    ...(typeof field === 'string' ? { path: field } : {}),
  })
}

interface ErrorBody {
  readonly error: { readonly code?: unknown; readonly message?: unknown; readonly field?: unknown }
}
