// Writes the app's icons from ../icon.svg into this folder: node resources/icons/draw.ts
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { installedChromium } from '../../tests/support/find-chromium.mjs'

const here = import.meta.dirname
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const
/** Types of the images in an .icns file by their size; the second of a size is the double resolution of half of it. */
const ICNS: readonly (readonly [type: string, size: number])[] = [
  ...([['icp4', 16], ['icp5', 32], ['ic11', 32], ['icp6', 64], ['ic12', 64], ['ic07', 128]] as const),
  ...([['ic13', 256], ['ic08', 256], ['ic14', 512], ['ic09', 512], ['ic10', 1024]] as const),
]
const ICO = [16, 24, 32, 48, 64, 128, 256] as const

type Drawn = ReadonlyMap<number, Buffer>
const of = (drawn: Drawn, size: number): Buffer => drawn.get(size) ?? Buffer.alloc(0)

async function draw(): Promise<Drawn> {
  const svg = readFileSync(join(here, '../icon.svg'), 'utf8')
  const executablePath = installedChromium()
  const browser = await chromium.launch(executablePath ? { executablePath } : {})
  const page = await browser.newPage()
  const drawn = new Map<number, Buffer>()
  for (const size of SIZES) {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`)
    drawn.set(size, await page.screenshot({ omitBackground: true }))
  }
  await browser.close()
  return drawn
}

function ico(drawn: Drawn): Buffer {
  const head = Buffer.alloc(6 + 16 * ICO.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(ICO.length, 4)
  let offset = head.length
  for (const [at, size] of ICO.entries()) {
    const { length } = of(drawn, size)
    // A side of 256 is written as 0.
    head.set([size % 256, size % 256, 0, 0, 1, 0, 32, 0], 6 + 16 * at)
    head.writeUInt32LE(length, 6 + 16 * at + 8)
    head.writeUInt32LE(offset, 6 + 16 * at + 12)
    offset += length
  }
  return Buffer.concat([head, ...ICO.map((size) => of(drawn, size))])
}

function icns(drawn: Drawn): Buffer {
  const block = (type: string, content: Buffer): Buffer => {
    const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
    head.writeUInt32BE(content.length + 8, 4)
    return Buffer.concat([head, content])
  }
  return block('icns', Buffer.concat(ICNS.map(([type, size]) => block(type, of(drawn, size)))))
}

const drawn = await draw()
mkdirSync(join(here, 'linux'), { recursive: true })
for (const [size, png] of drawn) if (size <= 512) writeFileSync(join(here, `linux/${size}x${size}.png`), png)
writeFileSync(join(here, 'icon.ico'), ico(drawn))
writeFileSync(join(here, 'icon.icns'), icns(drawn))
