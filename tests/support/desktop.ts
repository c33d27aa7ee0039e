import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type Page } from '@playwright/test'

const ROOT = join(import.meta.dirname, '../..')
const STAND_IN = join(ROOT, 'tests/support/electron-stand-in/electron')

export type Desktop = Awaited<ReturnType<typeof openDesktop>>

/** Path of the stand-in; with ACUSE_ELECTRON=real undefined, which makes Playwright find the real Electron. */
export const electronExecutable = process.env.ACUSE_ELECTRON === 'real' ? undefined : STAND_IN

export const desktopArguments = (data: string): string[] => [ROOT, `--data=${data}`, '--receiver-port=0']

/**
 * Starts the built desktop app on a free port.
 * @param dataDir data of an earlier run; default: a fresh folder, which `close` removes
 * @param env variables to add to the process's own
 * @param installed executable of a packaged app; default: this checkout on the stand-in
 * @param files paths to open
 */
export async function openDesktop(
  dataDir?: string,
  env: Readonly<Record<string, string>> = {},
  installed?: string,
  files: readonly string[] = [],
) {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'acuse-desktop-'))
  const executablePath = installed ?? electronExecutable
  const app = await _electron.launch({
    ...(executablePath ? { executablePath } : {}),
    // A packaged app finds itself.
    args: desktopArguments(folder)
      .slice(installed ? 1 : 0)
      .concat(files),
    env: { ...(process.env as Record<string, string>), ...env },
  })
  let words = ''
  app.process().stderr?.on('data', (bytes: Buffer) => {
    words += bytes.toString()
  })
  const page = await app.firstWindow()
  await page.waitForFunction(() => 'acuse' in window)
  /** Quits as a user does and removes the data. */
  const close = async () => {
    await app.close()
    if (dataDir === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  return {
    ...{ app, page, dataDir: folder },
    receiverUrl: await receiverUrl(page),
    said: () => words,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Calls a command from the page, through preload script and IPC. */
export function callInPage(page: Page, command: unknown, params: unknown): Promise<unknown> {
  return page.evaluate(
    ([name, given]) =>
      (window as unknown as { acuse: { call(...asked: unknown[]): Promise<unknown> } }).acuse.call(
        name,
        given,
      ),
    [command, params] as const,
  )
}

async function receiverUrl(page: Page): Promise<string> {
  const answered = (await callInPage(page, 'status.get', {})) as {
    readonly result: { readonly receiver: { readonly url?: string } }
  }
  return answered.result.receiver.url ?? ''
}
