import {
  cpSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FilingWriter } from '../support/filing-writer.ts'

const SEGMENT = 64 * 1024
const DELIVERIES = 200

/**
 * Flips one bit per round in the log of a crashed process that had filed nothing, and starts anew. A record whose bytes are lost must be
 * named, and each other one filed.
 * @param random gives numbers in [0, 1), seeded by the caller
 */
export function flipRounds(rounds: number, random: () => number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-flip-'))
  const sound = join(folder.path, 'sound')
  mkdirSync(sound, { mode: 0o700 })
  const before = new FilingWriter(sound, Date.now(), SEGMENT)
  const sent: string[] = []
  while (sent.length < DELIVERIES) {
    const together = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, n) =>
      `${sent.length + n} `.padEnd(random() * 5_000, 'x'),
    )
    before.deliverLater(...together)
    sent.push(...together)
  }
  before.kill()
  const segments = readdirSync(join(sound, 'log')).filter((name) => name.endsWith('.segment'))
  const whole = new Map(segments.map((name) => [name, readFileSync(join(sound, 'log', name))]))
  const seen = { rounds, damaged: 0, partial: 0, last: 0, unharmed: 0, unnamed: [] as string[] }
  for (let round = 0; round < rounds; round++) {
    const left = join(folder.path, 'left')
    rmSync(left, { recursive: true, force: true })
    mkdirSync(left, { mode: 0o700 })
    cpSync(join(sound, 'log'), join(left, 'log'), { recursive: true })
    const name = segments[Math.floor(random() * segments.length)] ?? ''
    const bytes = Buffer.from(whole.get(name) ?? '')
    const at = Math.floor(random() * bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    writeFileSync(join(left, 'log', name), bytes)
    const after = new FilingWriter(left, Date.now(), SEGMENT)
    const named = after.told.flatMap(([told, args]) => (told === 'logProblem' ? args : [])) as {
      readonly kind: 'damaged' | 'partial'
      readonly from: number
      readonly to: number
    }[]
    const tornBytes = after.log.tornBytes
    const filed = after.close()
    // Positions are those of the deliveries: the log has no other records.
    const lost = new Set(
      named.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, n) => from + n)),
    )
    if (tornBytes > 0) lost.add(sent.length)
    const rest = sent.filter((_, n) => !lost.has(n + 1))
    if (lost.size > 1 || filed.join() !== rest.join())
      seen.unnamed.push(`${name} at ${at}: ${lost.size} named, ${filed.length} filed`)
    else if (tornBytes > 0) seen.last += 1
    else seen[named[0]?.kind ?? 'unharmed'] += 1
  }
  return seen
}
