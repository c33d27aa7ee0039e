import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLink } from '../../../support/browser-session.ts'
import { startHost } from '../../../support/host.ts'
import { descendants, processFile } from '../../../support/processes.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

/** An opener that prints its process id and waits, so that the test can read its arguments as every user can. */
const OPENER = `#!/bin/sh
echo "$$ $1" > "$OPENER_FOLDER/said.part" && mv "$OPENER_FOLDER/said.part" "$OPENER_FOLDER/said"
while [ -e "$OPENER_FOLDER/hold" ]; do sleep 0.05; done
`

test('no argument of a process that we start holds the token of the link', async () => {
  const folder = tempFolder()
  const home = join(folder, 'home')
  const said = join(folder, 'said')
  const hold = join(folder, 'hold')
  mkdirSync(home)
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'xdg-open'), OPENER, { mode: 0o700 })
  writeFileSync(hold, '')
  const PATH = `${join(folder, 'bin')}:${process.env.PATH}`
  const env = { HOME: home, DISPLAY: ':0', OPENER_FOLDER: folder, PATH }
  const host = await startHost({ args: ['--open'], env })
  onTestFinished(async () => {
    rmSync(hold, { force: true })
    await host.stop()
  })
  while (!existsSync(said)) await new Promise((resolve) => setTimeout(resolve, 20))

  const [pid = '', page = ''] = readFileSync(said, 'utf8').trim().split(' ')
  expect(statSync(page).mode & 0o777).toBe(0o600)
  const link = /url=([^"]+)"/.exec(readFileSync(page, 'utf8'))?.[1] ?? ''
  const token = new URL(link).hash.replace('#token=', '')
  expect(token).toMatch(/^[\w-]{43}$/)
  const family = descendants(host.pid)
  expect(family).toEqual(expect.arrayContaining([host.pid, Number(pid)]))
  for (const one of family) {
    const [cmdline, environ] = [processFile(one, 'cmdline'), processFile(one, 'environ')]
    expect([cmdline, cmdline.includes(token), environ.includes(token)]).toEqual([cmdline, false, false])
  }

  expect((await openLink(link)).answer.status).toBe(200)
  rmSync(hold)
  await host.stop()
  expect(readdirSync(home)).not.toContain(page.split('/').at(-1))
})
