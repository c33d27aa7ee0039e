// Writes the tray icons into this folder: node resources/tray/draw.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

/** Samples per pixel in each direction, for antialiasing. */
const FINE = 4
/** Colours of the window's tokens with the same meaning. */
const COLOURS = {
  listening: [0x3a, 0x5b, 0xd9],
  off: [0x8b, 0x93, 0xa1],
  problem: [0xc2, 0x2f, 0x3d],
} as const
type State = keyof typeof COLOURS
type Part = 'nothing' | 'ground' | 'mark'
type Point = readonly [x: number, y: number]

/** Distance of a point to a stroke, in units of the icon's 64 by 64 grid. */
function toStroke(x: number, y: number, [ax, ay]: Point, [bx, by]: Point): number {
  const t = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
  const u = Math.max(0, Math.min(1, t))
  return Math.hypot(x - ax - u * (bx - ax), y - ay - u * (by - ay))
}
const inSquare = (x: number, y: number, edge: number, radius: number): boolean => {
  const beyond = (v: number) => Math.max(edge + radius - v, 0, v - (64 - edge - radius))
  return Math.hypot(beyond(x), beyond(y)) <= radius
}
const tick = (x: number, y: number): boolean =>
  toStroke(x, y, [16, 33], [28, 45]) <= 5 || toStroke(x, y, [28, 45], [49, 20]) <= 5
const dash = (x: number, y: number): boolean => toStroke(x, y, [21, 32], [43, 32]) <= 5
const call = (x: number, y: number): boolean =>
  toStroke(x, y, [32, 15], [32, 36]) <= 5 || Math.hypot(x - 32, y - 49) <= 5.5

/** Part of the icon at a point: none, the state's colour, or the mark on it. */
const SHAPES: Readonly<Record<State, (x: number, y: number) => Part>> = {
  listening: (x, y) => (inSquare(x, y, 1, 15) ? (tick(x, y) ? 'mark' : 'ground') : 'nothing'),
  off: (x, y) => {
    if (!inSquare(x, y, 1, 15)) return 'nothing'
    return !inSquare(x, y, 8, 9) || dash(x, y) ? 'ground' : 'nothing'
  },
  problem: (x, y) => (inSquare(x, y, 1, 15) ? (call(x, y) ? 'mark' : 'ground') : 'nothing'),
}

/** Red, green, blue and alpha of every pixel. A template is black, and its mark is transparent. */
function pixels(state: State, size: number, template: boolean): Buffer {
  const [r, g, b] = template ? [0, 0, 0] : COLOURS[state]
  const bytes = Buffer.alloc(size * size * 4)
  for (let at = 0; at < size * size; at++) {
    const counts = { nothing: 0, ground: 0, mark: 0 }
    for (let i = 0; i < FINE * FINE; i++) {
      const x = ((at % size) + ((i % FINE) + 0.5) / FINE) * (64 / size)
      const y = (Math.floor(at / size) + (Math.floor(i / FINE) + 0.5) / FINE) * (64 / size)
      counts[SHAPES[state](x, y)] += 1
    }
    const white = template ? 0 : counts.mark
    const covered = counts.ground + white
    const mix = (colour: number) => (covered === 0 ? 0 : Math.round((colour * counts.ground + 255 * white) / covered))
    bytes.set([mix(r), mix(g), mix(b), Math.round((255 * covered) / FINE ** 2)], at * 4)
  }
  return bytes
}

function crc(bytes: Buffer): number {
  let value = ~0
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return ~value >>> 0
}
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(data.length, 0)
  around.writeUInt32BE(crc(body), 4)
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)])
}
function png(size: number, rgba: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head.set([8, 6], 8)
  const rows = Array.from({ length: size }, (_, y) =>
    Buffer.concat([Buffer.of(0), rgba.subarray(y * size * 4, (y + 1) * size * 4)]),
  )
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** @returns all icons by file name; macOS draws an icon named "Template" in the menu bar's colour */
export function trayIcons(): ReadonlyMap<string, Buffer> {
  return new Map(
    (['listening', 'off', 'problem'] as const).flatMap((state): [string, Buffer][] => [
      [`${state}.png`, png(32, pixels(state, 32, false))],
      [`${state}@2x.png`, png(64, pixels(state, 64, false))],
      [`${state}Template.png`, png(16, pixels(state, 16, true))],
      [`${state}Template@2x.png`, png(32, pixels(state, 32, true))],
    ]),
  )
}

if (import.meta.main)
  for (const [name, bytes] of trayIcons()) writeFileSync(join(import.meta.dirname, name), bytes)
