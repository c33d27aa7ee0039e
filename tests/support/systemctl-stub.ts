import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * An environment whose only program is a stand-in for `systemctl`, and whose folders are in `folder`: it notes its words, and calls every
 * service active.
 */
export function systemctlStub(folder: string) {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const log = join(folder, 'systemctl.log')
  const script = `#!/bin/sh\necho "$*" >> '${log}'\n[ "$2" = show ] && echo ActiveState=active\nexit 0\n`
  writeFileSync(join(bin, 'systemctl'), script, { mode: 0o755 })
  return { PATH: bin, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') }
}

/** Each command that the stand-in got. */
export function toldSystemctl(folder: string): readonly string[] {
  const log = join(folder, 'systemctl.log')
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
}
