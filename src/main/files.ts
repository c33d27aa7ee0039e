import type { IpcMain, WebContents } from 'electron'
import { z } from 'zod'
import { refused } from '#contract/errors.ts'
import { byId } from '#contract/params.ts'
import { DraftFile, unwritten } from '#hosts/draft-file.ts'
import { FILES } from '../preload/channels.ts'
import { answering, type Caller } from './ipc.ts'

const { id } = byId.shape
/** As `HostFiles` of the window. */
const asked = z.union([
  z.tuple([z.literal('begin'), z.string().min(1).max(200)]),
  z.tuple([z.literal('write'), id, z.base64().max(24_000_000)]),
  z.tuple([z.literal('end'), id, z.boolean()]),
  z.tuple([z.literal('folder')]),
])

interface FilesHost {
  readonly ipc: Pick<IpcMain, 'handle'>
  readonly trusted: (caller: Caller) => boolean
  /** Shows the system's save dialog. @returns the path; undefined when the user cancels */
  ask(name: string): Promise<string | undefined>
  /** Shows the system's dialog for a folder. @returns the path; undefined when the user cancels */
  askFolder(): Promise<string | undefined>
}

interface Open {
  readonly draft: DraftFile
  readonly owner: number
}

/**
 * Writes files of the page where the user says, and nowhere else. A window that closes leaves no half-written file.
 * @returns discards the unfinished files
 */
export function answerFiles({ ipc, trusted, ask, askFolder }: FilesHost): () => Promise<void> {
  const drafts = new Map<number, Open>()
  let last = 0
  const discard = async (those: (open: Open) => boolean) => {
    for (const [number, open] of drafts)
      if (those(open)) {
        drafts.delete(number)
        await open.draft.discard()
      }
  }
  async function begin(name: string, sender: WebContents) {
    const owner = sender.id
    const path = await ask(name)
    if (path === undefined) return null
    const draft = await writing(path, () => DraftFile.begin(path))
    if (![...drafts.values()].some((open) => open.owner === owner))
      sender.once('destroyed', () => void discard((open) => open.owner === owner))
    last += 1
    drafts.set(last, { draft, owner })
    return { id: last, path }
  }
  ipc.handle(
    FILES,
    answering(trusted, async ({ sender }, ...args) => {
      const given = asked.parse(args)
      if (given[0] === 'begin') return begin(given[1], sender)
      if (given[0] === 'folder') return (await askFolder()) ?? null
      const open = drafts.get(given[1])
      if (open?.owner !== sender.id) throw refused('not-found', 'no-export', { id: given[1] })
      const { draft } = open
      if (given[0] === 'write') return writing(draft.path, () => draft.write(Buffer.from(given[2], 'base64')))
      drafts.delete(given[1])
      if (!given[2]) return draft.discard()
      return writing(draft.path, () => draft.finish()).catch(async (error: unknown) => {
        await draft.discard()
        throw error
      })
    }),
  )
  return () => discard(() => true)
}

async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unwritten(path, error)
  }
}
