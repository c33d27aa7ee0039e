import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { say } from '../src/hosts/launch/project.mjs'
import { DESKTOP_ENTRY, METAINFO, MIME_TYPE, SUMMARY } from './config.mjs'

/** Debian's names of the processors. */
const ARCH = { x64: 'amd64', arm64: 'arm64', armv7l: 'armhf' }
const NAME = 'acuse'
const ROOT = join(import.meta.dirname, '..')
const DETAILS = `Acuse receives webhooks on this machine, stores each one before it answers, and checks it against the specification of the service. It compares what arrived with what the service reports, and sends deliveries again.`

const MIME_INFO = `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="${MIME_TYPE}">
    <comment>Acuse session</comment>
    <comment xml:lang="es">Sesión de Acuse</comment>
    <sub-class-of type="application/vnd.sqlite3"/>
    <glob pattern="*.acuse"/>
    <icon name="${NAME}"/>
  </mime-type>
</mime-info>
`

/** What lintian finds in every Electron app, by the binary's nature, and why it stays. */
const OVERRIDES = [
  // Electron brings its own copies, which only its makers can link differently.
  'embedded-library',
  'unstripped-binary-or-object',
  // Chromium's sandbox needs it where the kernel offers users no namespaces.
  'elevated-privileges 4755 root/root [usr/lib/acuse/chrome-sandbox]',
]

/** Debian's rules demand an address. No mail reaches this one. */
const NO_ADDRESS = 'acuse@acuse.invalid'

/**
 * Makes a Debian package of an unpacked app. @param environment DEBFULLNAME and DEBEMAIL are the maintainer's name and address
 * @returns {Promise<string>} its path
 */
export async function debianPackage({ app, output, arch, version, electronVersion, environment }) {
  const { Installer } = await import('electron-installer-debian')
  const { DEBFULLNAME = 'The Acuse authors', DEBEMAIL } = environment
  if (!DEBEMAIL) say(`The environment has no DEBEMAIL: the Debian package names ${NO_ADDRESS}.`)
  const maintainer = `${DEBFULLNAME} <${DEBEMAIL || NO_ADDRESS}>`
  // The builder removes the file that tells the installer Electron's version, on which the dependencies depend.
  if (!existsSync(join(app, 'version'))) writeFileSync(join(app, 'version'), electronVersion)

  class Package extends Installer {
    get contentFunctions() {
      return [...super.contentFunctions, 'addMetadata']
    }
    #write(path, content) {
      const file = join(this.stagingDir, 'usr/share', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      chmodSync(file, 0o644)
    }
    async copyApplication() {
      await super.copyApplication()
      // It belongs into the system's folder; an AppImage needs it here.
      rmSync(join(this.stagingAppDir, 'usr'), { recursive: true })
    }
    async createDesktopFile() {
      const lines = Object.entries(DESKTOP_ENTRY).map(([key, value]) => `${key}=${value}\n`)
      this.#write(`applications/${NAME}.desktop`, `[Desktop Entry]\n${lines.join('')}`)
    }
    async createCopyright() {
      const others = `Electron and Chromium: see LICENSE.electron.txt and LICENSES.chromium.html in /usr/lib/${NAME}.\nPackages from npm: see the LICENSE of each in resources/app.asar.\n`
      this.#write(`doc/${NAME}/copyright`, `${readFileSync(join(ROOT, 'LICENSE'), 'utf8')}\n${others}`)
    }
    async addMetadata() {
      this.#write(METAINFO.replace(/^usr\/share\//, ''), readFileSync(join(app, METAINFO)))
      this.#write(`mime/packages/${NAME}.xml`, MIME_INFO)
      const date = new Date().toUTCString().replace('GMT', '+0000')
      const entry = `${NAME} (${this.options.version}) unstable; urgency=medium\n\n  * See CHANGELOG.md of the project.\n\n -- ${maintainer}  ${date}\n`
      this.#write(`doc/${NAME}/changelog.gz`, gzipSync(entry, { level: 9 }))
    }
  }

  const installer = new Package({
    src: app,
    dest: output,
    arch: ARCH[arch],
    name: NAME,
    bin: NAME,
    maintainer,
    section: 'devel',
    description: SUMMARY,
    productDescription: DETAILS,
    icon: icons(),
    lintianOverrides: OVERRIDES,
    logger: () => undefined,
    rename: (folder) => join(folder, `Acuse-${version}-linux-${ARCH[arch]}.deb`),
  })
  await installer.generateDefaults()
  installer.generateOptions()
  for (const step of ['createStagingDir', 'createContents', 'createPackage', 'movePackage'])
    await installer[step]()
  return installer.options.packagePaths[0]
}

/** The icons by the folder of the theme that takes them. */
function icons() {
  const folder = join(ROOT, 'resources/icons/linux')
  const drawn = readdirSync(folder).map((name) => [name.replace('.png', ''), join(folder, name)])
  return Object.fromEntries([...drawn, ['scalable', join(folder, '../../icon.svg')]])
}
