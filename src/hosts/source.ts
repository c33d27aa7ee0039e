import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { AcuseError, refused } from '#contract/errors.ts'
import { beginning } from '#contract/source.ts'
import type { Log, Secrets } from '#core/ports.ts'
import type { Mirrored } from '#storage/facade/intake-queue.ts'
import { readIfThere, writeAtomically } from './atomic-file.ts'

/** The shared log that a host follows. */
export interface FollowedLog {
  readonly url: string
  /** Name of this machine in the log's list of connections. */
  readonly name: string
  /** Opens the secrets of the log's endpoints. */
  readonly passphrase: string | undefined
  /** Where a first following begins, see `beginning`; undefined: at the next delivery. */
  readonly from: string | undefined
}

/** File with the shared log that a data folder follows: its ids mean nothing in another log. */
const FILE = 'following.json'
const following = z.strictObject({
  identity: z.string(),
  after: z.int(),
  /** Where it began. */
  from: beginning,
})
export type Following = z.output<typeof following>

/** The secret that holds the URL of the shared log, with its password. */
export const URL_SECRET = 'source'

/** @returns undefined for a folder with deliveries of its own, or none */
export async function readFollowing(dataDir: string): Promise<Following | undefined> {
  const content = await readIfThere(join(dataDir, FILE))
  return content === undefined ? undefined : following.parse(JSON.parse(content))
}

export const writeFollowing = (dataDir: string, begun: Following): Promise<void> =>
  writeAtomically(join(dataDir, FILE), `${JSON.stringify(begun)}\n`)

interface SourceOptions {
  readonly dataDir: string
  readonly secrets: Secrets
  readonly receiver: { readonly enabled: boolean }
  readonly follow?: FollowedLog
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** @returns the shared log that a host follows; undefined when it receives itself, or only reads @throws AcuseError `conflict` */
export async function sourceOf(options: SourceOptions): Promise<FollowedLog | undefined> {
  const { dataDir, secrets, receiver, follow, environment = process.env } = options
  if (follow || !receiver.enabled || !(await readFollowing(dataDir))) return follow
  const url = await secrets.get(URL_SECRET)
  if (url === undefined)
    throw new AcuseError(
      'conflict',
      `The data folder ${dataDir} follows a shared log, so it receives nothing itself. Start "acuse follow --log URL" on it, or give another folder with --data.`,
    )
  return { url, name: hostname(), passphrase: environment.ACUSE_LOG_KEY, from: undefined }
}

/** What the store of a folder mirrors; undefined for a folder with deliveries of its own. @param log takes rebuilt events; undefined: none is followed now */
export async function mirroredBy(
  dataDir: string,
  log: Pick<Log, 'append'> | undefined,
): Promise<Mirrored | undefined> {
  if (!log && !(await readFollowing(dataDir))) return undefined
  return {
    author: author(),
    log: log ?? { append: () => Promise.reject(refused('store-failed', 'not-followed')) },
  }
}

/** The user as other followers see it. */
function author(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // A user id without a name, as in a container.
    return hostname()
  }
}
