import { join } from 'node:path'
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'

const HERE = import.meta.dirname
const ROOT = join(HERE, '..')

/** Identity of the app on each system; changing it makes a new app, with new permissions and settings of the system. */
export const APP_ID = 'app.acuse.Acuse'
export const SUMMARY = 'Webhook inspector for an electronic-invoicing service'
export const MIME_TYPE = 'application/vnd.acuse.session'

/**
 * All fuses of Electron's binary. No user and no environment can make the installed app run other code, as Node or otherwise; the
 * integrity of the archive is checked where Electron can (macOS, Windows). The traps for WebAssembly are Electron's default.
 */
export const FUSES = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
}

/** Categories of the desktop entry. */
const CATEGORIES = 'Development;Network;'

/** The desktop entry, but for its command, which the builder writes itself. */
const ENTRY = {
  GenericName: 'Webhook Inspector',
  'GenericName[es]': 'Inspector de webhooks',
  Comment: SUMMARY,
  'Comment[es]': 'Inspector de webhooks para un servicio de facturación electrónica',
  Keywords: 'webhook;http;invoice;replay;',
  'Keywords[es]': 'webhook;http;factura;comprobante;reenvío;',
  StartupNotify: 'true',
}

/** The whole desktop entry, for packages that the builder does not make. */
export const DESKTOP_ENTRY = {
  Name: 'Acuse',
  ...ENTRY,
  Exec: 'acuse %U',
  Icon: 'acuse',
  Type: 'Application',
  Terminal: 'false',
  StartupWMClass: 'acuse',
  Categories: CATEGORIES,
  MimeType: `${MIME_TYPE};x-scheme-handler/acuse;`,
}

/** What signing needs in the environment, by system; the first complete set counts. */
const SIGNING = {
  mac: {
    signing: [['CSC_LINK'], ['CSC_NAME']],
    notarisation: [
      ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
      ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'],
      ['APPLE_KEYCHAIN_PROFILE'],
    ],
  },
  win: { signing: [['WIN_CSC_LINK'], ['CSC_LINK']] },
  linux: {},
}

/** @returns for each step of signing on a system whether the environment has what it needs, and a line about each that is skipped */
export function signing(system, environment) {
  const has = {}
  const skipped = []
  for (const [step, sets] of Object.entries(SIGNING[system])) {
    has[step] = sets.some((names) => names.every((name) => environment[name]))
    if (has[step]) continue
    const needs = sets.map((names) => names.join(' and ')).join(', or ')
    skipped.push(`Skipped ${step} for ${system}: the environment has no ${needs}.`)
  }
  return { has, skipped }
}

/**
 * Configuration of electron-builder for all systems. `electronDist` is a folder with an unpacked Electron (default: the builder
 * downloads it), `feed` the URL at which releases will be published.
 */
export function configuration({ output, electronVersion, electronDist, feed, environment }) {
  const mac = signing('mac', environment).has
  return {
    appId: APP_ID,
    productName: 'Acuse',
    copyright: 'Copyright © 2026 the Acuse authors',
    directories: { output, buildResources: join(ROOT, 'resources') },
    electronVersion,
    ...(electronDist ? { electronDist } : {}),
    asar: true,
    // No dependency is native, and the archive is packed already.
    npmRebuild: false,
    afterPack: burnFuses,
    publish: feed ? { provider: 'generic', url: feed } : null,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the builder's placeholders
    artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
    electronLanguages: ['en-US', 'es', 'es-419'],
    fileAssociations: [
      {
        ext: 'acuse',
        name: 'Acuse session',
        description: 'Acuse session',
        mimeType: MIME_TYPE,
        role: 'Viewer',
        rank: 'Owner',
      },
    ],
    protocols: [{ name: 'Acuse', schemes: ['acuse'], role: 'Viewer' }],
    linux: {
      target: ['tar.gz', 'AppImage'],
      executableName: 'acuse',
      icon: join(ROOT, 'resources/icons/linux'),
      category: CATEGORIES,
      syncDesktopName: true,
      desktop: { entry: ENTRY },
      extraFiles: [{ from: join(HERE, 'linux/metainfo.xml'), to: METAINFO }],
    },
    // The builder's default turns Chromium's sandbox off; the AppImage's own start script does so only where the kernel offers no namespaces.
    appImage: { executableArgs: [] },
    mac: {
      target: [
        { target: 'dmg', arch: ['x64', 'arm64'] },
        { target: 'zip', arch: ['x64', 'arm64'] },
      ],
      icon: join(ROOT, 'resources/icons/icon.icns'),
      category: 'public.app-category.developer-tools',
      darkModeSupport: true,
      hardenedRuntime: true,
      gatekeeperAssess: false,
      entitlements: join(HERE, 'mac/entitlements.plist'),
      entitlementsInherit: join(HERE, 'mac/entitlements.plist'),
      // Without a certificate the signature is ad hoc, which Apple silicon demands.
      ...(mac.signing ? {} : { identity: '-' }),
      notarize: mac.signing && mac.notarisation,
    },
    win: {
      target: [{ target: 'nsis', arch: ['x64', 'arm64'] }],
      icon: join(ROOT, 'resources/icons/icon.ico'),
      verifyUpdateCodeSignature: true,
    },
    nsis: {
      oneClick: true,
      perMachine: false,
      allowElevation: false,
      deleteAppDataOnUninstall: false,
      differentialPackage: true,
    },
  }
}

/** Path of the AppStream metadata inside of the app's folder, as an AppImage has it. */
export const METAINFO = `usr/share/metainfo/${APP_ID}.metainfo.xml`

/** Electron-builder's own option names only eight of the nine fuses. Runs before signing, since it changes the binary. */
async function burnFuses({ appOutDir, electronPlatformName, packager }) {
  const binary = {
    linux: packager.executableName,
    darwin: `${packager.appInfo.productFilename}.app`,
    win32: `${packager.appInfo.productFilename}.exe`,
  }[electronPlatformName]
  await flipFuses(join(appOutDir, binary), {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    ...FUSES,
  })
}
