import { hostname } from 'node:os'
import { badParam, messageOf, refused } from '#contract/errors.ts'
import { beginsAt } from '#contract/source.ts'
import type { Secrets, SourceControl, Store } from '#core/ports.ts'
import { type FollowedLog, readFollowing, URL_SECRET, writeFollowing } from './source.ts'

interface SourceParts {
  readonly dataDir: string
  readonly secrets: Secrets
  readonly store: Pick<Store, 'lastId' | 'mirroredUpTo' | 'status' | 'capture'>
  /** The shared log that this run follows. */
  readonly follow: FollowedLog | undefined
  /** Starts or stops the receiver. */
  receive(on: boolean): Promise<unknown>
}

/** Tells where deliveries come from, and changes it. The client of PostgreSQL loads at its first use. */
export function createSourceControl({
  dataDir,
  secrets,
  store,
  follow,
  receive,
}: SourceParts): SourceControl {
  /** URL that the next start follows. */
  let next: string | undefined

  async function ask(url: string) {
    const [{ ANSWER_MS, connectPrimary, end, failureOf }, { statusOf, lastPlace }] = await Promise.all([
      import('#log/shared/database.ts'),
      import('#log/shared/administration.ts'),
    ])
    const client = await connectPrimary(url, hostname(), ANSWER_MS)
    try {
      const { replicated, receivers } = await statusOf(client)
      return { last: await lastPlace(client), facts: { replicated, receivers } }
    } catch (error) {
      throw failureOf(error)
    } finally {
      end(client)
    }
  }

  const isEmpty = () => store.lastId() === 0 && store.status().counts.unfiled === 0

  const get: SourceControl['get'] = async () => {
    const known = await readFollowing(dataDir)
    const url = next ?? follow?.url
    const state = {
      ...{
        log: null,
        from: known?.from ?? null,
        mayFollow: !known && isEmpty(),
        restart: next !== undefined,
      },
      ...{ reason: null, behind: null, replicated: false, receivers: [] },
    }
    if (url === undefined) return state
    const { shown } = await import('#log/shared/database.ts')
    try {
      const { last, facts } = await ask(url)
      const reached = Math.max(known?.after ?? 0, store.mirroredUpTo())
      return { ...state, log: shown(url), behind: Math.max(0, last - reached), ...facts }
    } catch (error) {
      return { ...state, log: shown(url), reason: messageOf(error) }
    }
  }

  return {
    get,
    test: async ({ log, password }) => (await ask(urlOf(log, password))).facts,
    async follow({ log, password, from }) {
      const url = urlOf(log, password)
      const { Tail } = await import('#log/shared/tail.ts')
      const tail = new Tail(url, hostname(), 0)
      const begun = await tail.begin(beginsAt(from)).finally(() => tail.close())
      const known = await readFollowing(dataDir)
      if (known && known.identity !== begun.identity) throw refused('conflict', 'other-log')
      if (!known) {
        await receive(false)
        if (!isEmpty()) {
          await receive(true)
          throw refused('conflict', 'not-empty')
        }
        // A delivery would take an id of the log.
        await store.capture.close()
      }
      await secrets.set(URL_SECRET, url)
      if (!known) await writeFollowing(dataDir, { ...begun, from })
      next = url
      return get()
    },
  }
}

/** @throws AcuseError `bad-params` */
function urlOf(log: string, password: string | undefined): string {
  if (password === undefined) return log
  const url = log.replace(/^([^:]+:\/\/[^:@/]+)(?::[^@/]*)?@/, `$1:${encodeURIComponent(password)}@`)
  if (url === log && !log.includes(`:${encodeURIComponent(password)}@`))
    throw badParam('log', 'it names no user for the password.')
  return url
}
