import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { SessionInfo } from '#contract/session.ts'
import type { Settings } from '#contract/settings.ts'
import { readSmall, replaceFile } from '#storage/disk/files.ts'
import { unpackSession } from '#storage/session/session-file.ts'
import type { HostOptions } from './assemble.ts'
import { readSettings } from './settings-reading.ts'

/** A session file copied into a data folder of its own, which lasts as long as the process. */
export interface UnpackedSession {
  readonly folder: string
  readonly session: SessionInfo
  remove(): void
}

/** Options of a host on a session file: nothing listens, sends, or lasts. */
export const sessionOptions = ({ session }: UnpackedSession) =>
  ({
    session,
    receiver: { enabled: false },
    resumeSandbox: false,
    environment: {},
  }) satisfies Partial<HostOptions>

/** Nothing of a session is evicted, and a large one is no reason to warn. */
const ALL = 1e15
const retentionFor = (size: number): Settings['retention'] => ({
  ...{ budgetBytes: Math.max(DEFAULT_SETTINGS.retention.budgetBytes, 8 * size), overBudget: 'warn' },
  ...{ rejectedDeliveries: ALL, rejectedBytes: ALL, malformedDeliveries: ALL, malformedBytes: ALL },
})

const PREFIX = 'acuse-session-'

/**
 * Copies a session file into a private temporary folder, whose store analyses it like any other. The file itself is only read.
 * @param own the user's data folder, whose appearance and masked names the window takes @throws AcuseError as `unpackSession`
 */
export function openSessionFile(file: string, own: string): UnpackedSession {
  removeLeftOver()
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const { createdAt, version, masked, connections } = unpackSession(resolve(file), folder)
    const path = realpathSync(file)
    const { appearance, masking } = ownSettings(own)
    const settings = { appearance, masking, connections, retention: retentionFor(statSync(path).size) }
    replaceFile(join(folder, 'settings.json'), JSON.stringify(settings))
    return { folder, session: { file: path, createdAt, version, masked }, remove }
  } catch (error) {
    remove()
    throw error
  }
}

function ownSettings(folder: string): Settings {
  try {
    return readSettings(JSON.parse(readSmall(join(folder, 'settings.json')))).settings
  } catch {
    // There is none, or the host of that folder reports what is wrong with them.
    return DEFAULT_SETTINGS
  }
}

/** Removes copies of processes that were killed: they hold deliveries. */
function removeLeftOver(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(/^acuse-session-(\d+)-/.exec(name)?.[1])
    if (pid > 0 && !runs(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Another user's process: its copy is not ours either.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
