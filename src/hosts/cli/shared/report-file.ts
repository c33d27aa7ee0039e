import { access, constants, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Language } from '#catalog/text.ts'
import type { Connection } from '#contract/connection.ts'
import type { DocumentRow, ReconciliationSummary } from '#contract/reconcile.ts'
import { fileTrouble } from '#core/file-trouble.ts'
import type { ReportRecovery, ReportSection } from '#interop/report/model.ts'
import { withEvidence } from '#interop/report/model.ts'
import { reportFormat, writeReport } from '#interop/report/write.ts'
import { couldNot } from './failures.ts'
import type { Reached } from './reach.ts'
import { type Terminal, VERSION, writeUserFile } from './terminal.ts'
import { number, visible } from './text.ts'

export interface Reconciled {
  readonly summary: ReconciliationSummary
  /** Documents other than matched. */
  readonly rows: readonly DocumentRow[]
}

interface ReportPlan {
  readonly file: string
  readonly unmask: boolean
  readonly connection: Connection
  readonly recovery: ReportRecovery | null
  readonly language: Language
}

/** Checks the report's path before a sweep, which may take an hour. @throws CommandFailure when the file cannot be written */
export async function checkReportPlace(file: string): Promise<void> {
  const folder = dirname(resolve(file))
  try {
    await access(folder, constants.W_OK)
  } catch (error) {
    throw couldNot(`${visible(file)} cannot be written: ${visible(fileTrouble(error, 'written'))}.`)
  }
  if ((await stat(file).catch(() => null))?.isDirectory())
    throw couldNot(`${visible(file)} cannot be written: it is a folder.`)
}

export async function writeReportFile(
  reached: Pick<Reached, 'call'>,
  all: readonly Reconciled[],
  { file, unmask, connection, recovery, language }: ReportPlan,
  terminal: Terminal,
): Promise<void> {
  const sections: ReportSection[] = []
  for (const { summary, rows } of all) {
    const section = await withEvidence(reached.call, summary, rows, (done) => {
      if (done % 100 === 0) terminal.progress(`Evidence: ${number(done)} of ${number(rows.length)}`)
    })
    sections.push(section)
  }
  terminal.progress(null)
  const report = {
    createdAt: Date.now(),
    version: VERSION,
    connection,
    sections,
    recovery,
    masked: !unmask,
    language,
  }
  await writeUserFile(file, [Buffer.from(writeReport(report, reportFormat(file) ?? 'json'))])
  terminal.say(
    `Report written to ${file}${unmask ? '' : '; names of parties are masked (--unmask shows them)'}.`,
  )
}
