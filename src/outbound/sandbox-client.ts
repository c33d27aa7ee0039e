import { type IncomingMessage, request } from 'node:http'
import type { Params, Result } from '#contract/commands.ts'
import { AcuseError, type ErrorCode, refused } from '#contract/errors.ts'
import type { SandboxSubscription } from '#contract/sandbox.ts'
import { SANDBOX_CALLS, type SandboxCallName } from '#contract/sandbox-commands.ts'

export interface SandboxAddress {
  /** Without a trailing slash. */
  readonly url: string
  readonly adminToken: string
}

interface Call {
  readonly method: string
  /** Below /_sandbox, with encoded parts. */
  readonly path: string
  readonly body: unknown
}

/** Fills the path from the parameters; the others form the query or the body. */
function callOf<C extends SandboxCallName>(command: C, params: Params<C>): Call {
  const left = new Map<string, unknown>(Object.entries(params).filter(([, value]) => value !== undefined))
  const partsOf = (route: string) => [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const route =
    SANDBOX_CALLS[command].routes.find((one) => partsOf(one).every((name) => left.has(name))) ?? ''
  const [method = '', pattern = ''] = route.split(' ')
  let path = pattern
  for (const name of partsOf(route)) {
    path = path.replace(`:${name}`, encodeURIComponent(String(left.get(name)).toWellFormed()))
    left.delete(name)
  }
  const rest = Object.fromEntries(left)
  if (method !== 'GET') return { method, path, body: left.size > 0 ? (rest.params ?? rest) : undefined }
  const query = new URLSearchParams(path.split('?')[1])
  for (const [name, value] of left) query.set(name, String(value))
  return { method, path: `${path.split('?')[0]}?${query}`, body: undefined }
}

/** Header values of the admin API are unmasked. */
const unmasked = (one: SandboxSubscription): SandboxSubscription => ({
  ...one,
  headers: one.headers.map(({ name, value }) => ({ name, value, masked: false })),
})

/** Completes answers of the admin API that lack a part of the command's result. */
const COMPLETED: { readonly [C in SandboxCallName]?: (result: Result<C>) => Result<C> } = {
  'sandbox.subscriptions': ({ subscriptions }) => ({ subscriptions: subscriptions.map(unmasked) }),
  'sandbox.save-subscription': unmasked,
}

/** Calls a command of a sandbox over HTTP. @throws AcuseError with the sandbox's sentence; `not-available` when it cannot be reached */
export async function callSandbox<C extends SandboxCallName>(
  address: SandboxAddress,
  command: C,
  params: Params<C>,
): Promise<Result<C>> {
  const { status, content } = await exchanged(address, callOf(command, params))
  if (status >= 300) throw refusal(address.url, status, content)
  // The admin API has the same version, and its tests verify these shapes.
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
    const unreachable = (error: Error) => {
      const message = `The sandbox at ${url} did not answer: ${error.message || String(error)}`
      reject(new AcuseError('not-available', message))
    }
    const call = request(
      `${url}/_sandbox${path}`,
      {
        method,
        // The sandbox could close a kept-alive connection just as the next call is written.
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
    // JSON.stringify is recursive, JSON.parse is not: content that was parsed may be too deep to write.
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

/** @param content usually the error body: {"error": {"code", "message", "field"}} */
function refusal(url: string, status: number, content: unknown): AcuseError {
  const { code, message, field } = (content as Partial<ErrorBody> | null)?.error ?? {}
  if (typeof code !== 'string' || typeof message !== 'string')
    return refused('not-available', 'not-a-sandbox', { url, status })
  return new AcuseError(CODES[status] ?? 'internal', message, {
    sandbox: code,
    ...(typeof field === 'string' ? { path: field } : {}),
  })
}

interface ErrorBody {
  readonly error: { readonly code?: unknown; readonly message?: unknown; readonly field?: unknown }
}
