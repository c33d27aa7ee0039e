import { KINDS } from '#catalog/kinds.ts'
import { AcuseError } from '#contract/errors.ts'
import { type SandboxHost, startSandboxHost } from '../sandbox-host.ts'

export interface BesideOptions {
  readonly folder: string
  readonly port: number
  readonly seed: number
  /** Of the receiver, null when it does not listen. */
  readonly receiver: string | null
  /** What the receiver demands, when this run knows it. */
  readonly secret: { readonly header: string; readonly value: string } | null
  say(sentence: string): void
}

/** The subscription of the receiver goes by this name, so that the next start finds it again. */
const NAME = 'Acuse receiver'

/**
 * Starts the sandbox beside the receiver, and subscribes the receiver to all 28 kinds.
 * @returns undefined when it cannot be had, which has been said: receiving is what must not fail
 */
export async function startBeside(options: BesideOptions): Promise<SandboxHost | undefined> {
  const { say } = options
  try {
    const host = await startOn(options, options.port)
    if (options.receiver === null)
      say('The receiver does not listen, so the sandbox is not subscribed to it.')
    else await subscribe(host, options.receiver, options.secret)
    return host
  } catch (error) {
    say(`The sandbox cannot be started: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

async function startOn({ folder, seed, say }: BesideOptions, port: number): Promise<SandboxHost> {
  try {
    return await startSandboxHost({ folder, port, seed, warn: say })
  } catch (error) {
    // A sandbox on this folder is refused on every port; only a taken port is worth another try.
    if (!(error instanceof AcuseError) || error.details.port === undefined || port === 0) throw error
    const host = await startSandboxHost({ folder, port: 0, seed, warn: say })
    say(`Port ${port} is taken, so the sandbox is on ${host.ready.sandbox}.`)
    return host
  }
}

interface Listed {
  readonly subscriptions: readonly { readonly id: number; readonly name: string }[]
}

/** What a person changed on the subscription stays; only where it leads follows the receiver. */
async function subscribe(
  { ready }: SandboxHost,
  receiver: string,
  secret: BesideOptions['secret'],
): Promise<void> {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${ready.sandbox}/_sandbox${path}`, {
      method,
      headers: { Authorization: `Bearer ${ready.admin}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json()
  }
  const { subscriptions } = (await call('GET', '/subscriptions')) as Listed
  const headers = secret ? { headers: [{ name: secret.header, value: secret.value }] } : {}
  const mine = subscriptions.find(({ name }) => name === NAME)
  if (mine) await call('PUT', `/subscriptions/${mine.id}`, { url: receiver, ...headers })
  else
    await call('POST', '/subscriptions', {
      name: NAME,
      url: receiver,
      kinds: KINDS.map(({ kind }) => kind),
      ...headers,
    })
}
