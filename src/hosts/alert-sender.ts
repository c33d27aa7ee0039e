import { spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import type { Alert, AlertProblem, AlertSent } from '#contract/alerts.ts'
import { badParam, refused } from '#contract/errors.ts'
import type { AlertNote } from '#core/alerts/incidents.ts'
import { systemCode } from '#core/file-trouble.ts'
import type { Destinations } from '#core/ports.ts'
import { demandSendable } from '#core/replay/handlers.ts'
import type { Sender } from '#core/replay/ports.ts'
import { bodyOf, typedTarget } from '#core/replay/request.ts'
import type { TargetBook } from '#core/targets.ts'
import { requestHeaders } from '#outbound/service-answer.ts'

/** Folder of the programs that alerts may run, in the data folder. */
export const HOOKS = 'hooks'
const PROGRAM_MS = 30_000
/** Of a program's output, for the message about its failure. */
const SAID = 300

/** Windows has no groups of processes. */
const GROUPS = process.platform !== 'win32'
const OURS = /^(?:ACUSE|OTEL)_/i

interface AlertSenderParts {
  readonly dataDir: string
  readonly version: string
  readonly sender: Sender
  readonly targets: Pick<TargetBook, 'all'>
  readonly destinations: Destinations
  /** Longest run of a program, in milliseconds. */
  readonly programMs?: number
}

/**
 * Sends the messages of alerts. Addresses are those that a replay may have, checked again for each message; redirects are not followed. Programs
 * are only those that the user put into the folder `hooks`: a changed setting alone must not run any command.
 */
export function createAlertSender(parts: AlertSenderParts) {
  const { dataDir, version, sender, targets, destinations, programMs = PROGRAM_MS } = parts
  const resolved = (reference: string) =>
    reference.includes('://') ? typedTarget(reference) : targets.all().find(({ name }) => name === reference)

  async function post(reference: string, body: Buffer): Promise<AlertProblem | null> {
    const target = resolved(reference)
    if (!target)
      return problem('target-gone', `There is no target named "${reference}".`, { target: reference })
    const { url, timeouts, acceptAnyCertificate } = target
    const own = target.headers.flatMap(({ name, value }) => [name, value])
    const usual = requestHeaders(url).slice(0, 2)
    const { answer, error } = await sender.send({
      method: target.method ?? 'POST',
      url,
      headers: [
        ...usual,
        ...['User-Agent', `Acuse/${version}`, 'Content-Type', 'application/json'],
        ...['Content-Length', String(body.length), ...own],
      ],
      body: bodyOf(body),
      timeouts,
      acceptAnyCertificate,
    })
    const status = answer?.status ?? 0
    if (error || (status >= 200 && status < 300)) return error
    return problem('status', `The answer was ${status}.`, { status })
  }

  return {
    async send(alert: Alert, note: AlertNote): Promise<AlertSent> {
      const began = performance.now()
      const body = Buffer.from(`${JSON.stringify(note)}\n`)
      const problem =
        alert.target === null
          ? await run(join(dataDir, HOOKS, alert.program ?? ''), body, note, programMs)
          : await post(alert.target, body)
      return { problem, tookMs: Math.round(performance.now() - began) }
    },
    /** @throws AcuseError `not-found`, `bad-params` */
    async demandSendable({ target, program }: Alert): Promise<void> {
      if (target !== null) {
        const found = resolved(target)
        if (!found) throw refused('not-found', 'no-target', { path: 'target', name: target })
        await demandSendable(destinations, found.url, 'target')
      } else if (program !== null) {
        const path = join(dataDir, HOOKS, program)
        await access(path, constants.X_OK).catch(() => {
          throw badParam('program', `program: ${path} is not there or cannot be run; put the program there.`)
        })
      }
    },
  }
}

/**
 * Runs a program without a shell. It gets the message on stdin and its kind in the environment. When its time is over, what it started ends
 * with it. Never throws.
 */
function run(path: string, body: Buffer, { alert, cause, event }: AlertNote, programMs: number) {
  const { promise, resolve } = Promise.withResolvers<AlertProblem | null>()
  // It has no use for credentials of ours.
  const others = Object.entries(process.env).filter(([name]) => !OURS.test(name) || name === 'ACUSE_DATA')
  const env = {
    ...Object.fromEntries(others),
    ...{ ACUSE_ALERT: alert, ACUSE_CAUSE: cause, ACUSE_EVENT: event },
  }
  let said = ''
  try {
    const child = spawn(path, [], {
      env,
      stdio: ['pipe', 'ignore', 'pipe'],
      detached: GROUPS,
      windowsHide: true,
    })
    const end = setTimeout(() => {
      try {
        if (GROUPS && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
        else child.kill('SIGKILL')
      } catch (error) {
        // The system does not let Acuse end a program that took another user's rights.
        resolve(notRun(path, error))
      }
    }, programMs)
    for (const over of ['exit', 'error']) child.on(over, () => clearTimeout(end))
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(0, SAID)
    })
    // A program that does not read its input is no failure.
    child.stdin.on('error', () => undefined)
    child.stdin.end(body)
    child.on('error', (error) => resolve(notRun(path, error)))
    child.on('exit', (code, signal) => {
      const words = said.replace(/[\p{C}\s]+/gu, ' ').trim()
      const seconds = programMs / 1_000
      if (code === 0) resolve(null)
      else if (signal !== null) resolve(problem('too-slow', `The program ran for ${seconds} s.`, { seconds }))
      else
        resolve(
          problem('exit', `The program ended with exit code ${code}. ${words}`.trim(), {
            exit: code ?? 0,
            said: words,
          }),
        )
    })
  } catch (error) {
    resolve(notRun(path, error))
  }
  return promise
}

const problem = (
  code: AlertProblem['code'],
  message: string,
  params: AlertProblem['params'],
): AlertProblem => ({ code, message, params })

const notRun = (path: string, error: unknown): AlertProblem =>
  problem('not-run', `${path} cannot be run (${systemCode(error)}).`, { path, reason: systemCode(error) })
