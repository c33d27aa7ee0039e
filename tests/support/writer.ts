import { quotasOf } from '#storage/facade/budget.ts'
import { Writer } from '#storage/writer/writer.ts'
import { members } from '#threads/expose.ts'

/** The writer of a folder in this thread. @param told gets what it pushes */
export function openWriter(folder: string, told: unknown[][] = [], now = Date.now()): Writer {
  const writer = new Writer(
    { folder, quotas: quotasOf(), now },
    members((...push) => told.push(push)),
  )
  writer.open(now)
  return writer
}
