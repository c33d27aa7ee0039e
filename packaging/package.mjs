// npm run package -- [--linux] [--mac] [--win] [--dir] [--out FOLDER]: packages of the desktop app, by default for this system
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build, Platform } from 'electron-builder'
import { ROOT, say } from '../src/hosts/launch/project.mjs'
import { packArchive, verifyArchive } from './archive.mjs'
import { configuration, signing } from './config.mjs'
import { debianPackage } from './debian.mjs'
import { stageApp } from './stage.mjs'

const SYSTEMS = { linux: Platform.LINUX, mac: Platform.MAC, win: Platform.WINDOWS }
const OWN = { darwin: 'mac', win32: 'win' }[process.platform] ?? 'linux'

const { values } = options()
const output = resolve(ROOT, values.out)
const chosen = Object.keys(SYSTEMS).filter((system) => values[system])
const { devDependencies, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const environment = process.env

/** Folder with nothing but the archive, which the builder takes as it is. */
const packed = join(output, 'packed')
mkdirSync(packed, { recursive: true })
const files = stageApp(ROOT, join(output, 'app'))
await packArchive(join(output, 'app'), files, join(packed, 'app.asar'))
const { hash } = verifyArchive(join(packed, 'app.asar'))
say(`app.asar: ${files.length} files, header ${hash}`)

for (const system of chosen.length > 0 ? chosen : [OWN]) await packageFor(system)
for (const scratch of ['app', 'packed', 'builder-debug.yml'])
  rmSync(join(output, scratch), { recursive: true, force: true })

function options() {
  try {
    return parseArgs({
      options: {
        ...Object.fromEntries(Object.keys(SYSTEMS).map((system) => [system, { type: 'boolean' }])),
        dir: { type: 'boolean' },
        out: { type: 'string', default: 'dist' },
      },
    })
  } catch (error) {
    say(`${error.message}\nGive --linux, --mac, --win, --dir, --out FOLDER, or nothing for this system.`)
    process.exit(2)
  }
}

async function packageFor(system) {
  for (const line of signing(system, environment).skipped) say(line)
  const electronVersion = devDependencies.electron
  const config = configuration({
    ...{ output, environment, electronVersion },
    electronDist: environment.ELECTRON_OVERRIDE_DIST_PATH,
    feed: environment.ACUSE_UPDATE_FEED,
  })
  const targets = SYSTEMS[system].createTarget(values.dir ? 'dir' : undefined)
  const made = await build({ targets, config, projectDir: packed, publish: 'never' })
  for (const file of made) say(file)
  if (system !== 'linux') return
  const unpacked = join(output, 'linux-unpacked')
  verifyArchive(join(unpacked, 'resources/app.asar'), hash)
  if (!values.dir)
    say(
      await debianPackage({
        app: unpacked,
        output,
        arch: process.arch,
        version,
        electronVersion,
        environment,
      }),
    )
}
