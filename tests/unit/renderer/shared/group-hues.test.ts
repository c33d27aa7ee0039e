import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GROUPS } from '#catalog/kinds.ts'

const TOKENS = join(import.meta.dirname, '../../../../renderer/src/shared/styles/tokens.css')

function hueOf(hex: string): { readonly hue: number; readonly colour: number } {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const most = Math.max(r, g, b)
  const colour = most - Math.min(r, g, b)
  if (colour === 0) return { hue: 0, colour }
  const turn = most === r ? (g - b) / colour : most === g ? 2 + (b - r) / colour : 4 + (r - g) / colour
  return { hue: (turn * 60 + 360) % 360, colour }
}

test('no group is red or green: these mean wrong and right', () => {
  const css = readFileSync(TOKENS, 'utf8')
  for (const { slug } of GROUPS) {
    const hex = new RegExp(`--g-${slug}: (#[0-9a-f]{6});`).exec(css)?.[1] ?? expect.unreachable(slug)
    const { hue, colour } = hueOf(hex)
    const isWrongOrRight = colour > 40 && (hue < 15 || hue > 340 || (hue > 70 && hue < 175))
    expect([slug, isWrongOrRight]).toEqual([slug, false])
  }
  expect(hueOf('#d0504f').hue).toBeLessThan(15)
})
