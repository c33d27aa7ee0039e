import { resolve } from 'node:path'
import { DraftFile, unwritten } from '#hosts/draft-file.ts'
import { visible } from './text.ts'

/** Writes a file that the user named; a failure or a stop leaves nothing. @throws AcuseError when it cannot be written; the error of `pieces` */
export async function writeUserFile(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  let draft: DraftFile | undefined
  try {
    draft = await DraftFile.begin(resolve(path))
    for await (const piece of pieces) await draft.write(piece)
    await draft.finish()
  } catch (error) {
    await draft?.discard()
    throw error instanceof Error && 'syscall' in error ? unwritten(visible(path), error) : error
  }
}
