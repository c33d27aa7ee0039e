import { expect, it } from 'vitest'
import { readOptions } from '../../../src/main/options.ts'
import { APP_PAGE, originOf, pageSource } from '../../../src/main/page.ts'

it('flags of the desktop app: are those of acuse serve', () => {
  const args = ['.', '--data', 'x', '--receiver-port=0', '--receiver-host', '::1']
  expect(readOptions(args)).toEqual({ data: 'x', receiver: { enabled: true, host: '::1', port: 0 } })
})
it('flags of the desktop app: a path of a session file is opened, with or without flags of Chromium', () => {
  for (const args of [['x.acuse'], ['.', '--no-sandbox', 'folder/x.ACUSE', 'other.txt']])
    expect(readOptions(args).session).toMatch(/x\.acuse$/i)
})
it('flags of the desktop app: a session file may come as a URL, as file managers of Linux give it', () => {
  expect(readOptions(['file:///home/ana/a%C3%B1o%201.acuse']).session).toBe('/home/ana/año 1.acuse')
  // No path on this machine: opening it says so.
  for (const odd of [
    'file:///home/%zz.acuse',
    'file:///a%2Fb.acuse',
    'file://other/a.acuse',
    'file:a%.acuse',
  ])
    expect(readOptions([odd]).session).toBe(odd)
})
it('flags of the desktop app: leave the rest to Chromium, and what makes no sense to the settings', () => {
  for (const args of [[], ['--no-sandbox', '--inspect=0'], ['--receiver-port', 'x'], ['--receiver-port=-1']])
    expect(readOptions(args)).toEqual({ receiver: { enabled: true } })
})

it('the page of the window: is the built one, or the development server while it runs', () => {
  expect(pageSource(undefined)).toEqual(APP_PAGE)
  const origin = 'http://localhost:5173'
  expect(pageSource(`${origin}/`)).toEqual({ url: `${origin}/electron.html`, origin })
  expect([originOf('app://acuse/electron.html'), originOf('nonsense')]).toEqual(['app://acuse', ''])
})
