import type { AppUpdater } from 'electron-updater'
import { messageOf } from '#contract/errors.ts'
import type { Settings } from '#contract/settings.ts'
import type { UpdateState } from '#contract/updates.ts'
import type { Updates } from '#core/ports.ts'

const DAY_MS = 86_400_000
/** Delay of the first daily check: the start has more urgent work. */
const FIRST_MS = 60_000

export interface UpdateParts {
  /** Called once, when the feed is asked for the first time. */
  load(): Promise<AppUpdater>
  settings(): Pick<Settings['desktop'], 'updateFeed' | 'updateDaily'>
  /** Asks the user to install, now that this version is downloaded. */
  ask(version: string): void
  /** Ends the app orderly, with the reason for coverage, and calls `install` last. */
  end(install: () => void): Promise<void>
}

type Failure = Extract<UpdateState, { state: 'failed' }>['reason']

/**
 * Keeps the app current: checks on request and daily, downloads, then asks. It installs nothing by itself, since the receiver must not
 * stop without the user.
 */
export class AppUpdates implements Updates {
  readonly #parts: UpdateParts
  #updater: Promise<AppUpdater> | undefined
  #state: UpdateState = { state: 'current', checkedAt: null }

  constructor(parts: UpdateParts) {
    this.#parts = parts
  }

  /** Begins the daily checks, which last as long as the process. */
  begin(): void {
    const daily = () => {
      if (this.#parts.settings().updateDaily) void this.check()
    }
    setTimeout(daily, FIRST_MS).unref()
    setInterval(daily, DAY_MS).unref()
  }

  state(): UpdateState {
    const idle = this.#state.state === 'current' || this.#state.state === 'failed'
    return idle && this.#parts.settings().updateFeed === null ? { state: 'off' } : this.#state
  }

  /** Resolves once the feed has answered; the download goes on. */
  async check(): Promise<UpdateState> {
    const { updateFeed: url } = this.#parts.settings()
    const { state } = this.state()
    if (url === null || (state !== 'current' && state !== 'failed')) return this.state()
    this.#state = { state: 'checking' }
    try {
      this.#updater ??= this.#parts.load().then(prepared)
      const updater = await this.#updater
      updater.setFeedURL({ provider: 'generic', url })
      const found = await updater.checkForUpdates()
      if (!found?.isUpdateAvailable) this.#state = { state: 'current', checkedAt: Date.now() }
      else void this.#download(updater, found.updateInfo.version)
    } catch (error) {
      this.#fail(error)
    }
    return this.state()
  }

  async #download(updater: AppUpdater, version: string): Promise<void> {
    this.#state = { state: 'downloading', version, percent: 0 }
    const progress = ({ percent }: { readonly percent: number }) => {
      this.#state = { state: 'downloading', version, percent: Math.floor(percent) }
    }
    updater.on('download-progress', progress)
    try {
      await updater.downloadUpdate()
      this.#state = { state: 'ready', version }
      this.#parts.ask(version)
    } catch (error) {
      this.#fail(error)
    } finally {
      updater.off('download-progress', progress)
    }
  }

  install(): UpdateState {
    if (this.#state.state !== 'ready') return this.state()
    this.#state = { state: 'installing', version: this.#state.version }
    void this.#updater?.then((updater) => this.#parts.end(() => updater.quitAndInstall(true, true)))
    return this.#state
  }

  #fail(error: unknown): void {
    this.#state = {
      state: 'failed',
      reason: failureOf(error),
      message:
        messageOf(error)
          .split('\n')[0]
          ?.replace(/^net::/, '') ?? '',
    }
  }
}

function prepared(updater: AppUpdater): AppUpdater {
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = false
  updater.disableWebInstaller = true
  updater.logger = null
  return updater
}

/** The cause of electron-updater's error, from its code. Squirrel on macOS gives only words. */
function failureOf(error: unknown): Failure {
  const code = String(Reflect.get(Object(error), 'code'))
  if (code === 'ERR_CHECKSUM_MISMATCH') return 'bad-hash'
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE' || /code signature/i.test(messageOf(error)))
    return 'bad-signature'
  return code.startsWith('ERR_UPDATER_') ? 'bad-feed' : 'unreachable'
}
