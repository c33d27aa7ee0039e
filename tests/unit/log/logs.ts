import type { Disk } from '#log/disk.ts'
import { HEAD, MAGIC, positionIn } from '#log/frame.ts'
import { SegmentLog } from '#log/log.ts'
import { LogReader } from '#log/reader.ts'
import { placesOf } from '#log/segment.ts'
import { rawRecord } from '#storage/wire/record.ts'
import { UnsyncedDisk } from './unsynced-disk.ts'

export const NOTHING = { position: 0, id: 0 }
export const SEGMENT = 4096
export const SMALL = { floor: NOTHING, segmentBytes: SEGMENT }

export function aLog(...texts: readonly string[]) {
  const disk = new UnsyncedDisk()
  const log = new SegmentLog(disk, SMALL)
  for (const text of texts) log.append([record(text)])
  return { disk, log }
}

export const record = (text: string | Buffer, numbered = true) =>
  rawRecord(numbered ? 1 : 2, Buffer.from(text), undefined, numbered)

export function contentOf(disk: Disk, name: string): Buffer {
  const file = disk.open(name)
  const content = Buffer.alloc(file.size())
  file.read(content, 0)
  return content
}

/** @returns segment and offset of a record */
export function lastFrame(disk: Disk, position: number): [string, number] {
  for (const name of disk.list())
    for (const at of placesOf(MAGIC, 0, disk.open(name).size(), (from, length) =>
      contentOf(disk, name).subarray(from, from + length),
    ))
      if (positionIn(contentOf(disk, name).subarray(at, at + HEAD)) === position) return [name, at]
  throw new Error(`no record ${position}`)
}

export function readAll(disk: Disk, upTo: number, after = 0) {
  const reader = new LogReader(disk, after)
  const frames = []
  const gaps = []
  for (let position = after; position < upTo; ) {
    const slice = reader.next(upTo, 1000)
    for (const entry of slice.entries) frames.push({ ...entry, payload: Buffer.from(entry.payload) })
    gaps.push(...slice.gaps)
    position = slice.position
  }
  reader.close()
  return { frames, gaps, texts: frames.map(({ payload }) => payload.toString()) }
}
