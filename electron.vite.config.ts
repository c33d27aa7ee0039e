import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { HtmlTagDescriptor, Plugin } from 'vite'

const root = import.meta.dirname
/** The browser host of `npm run dev`. */
const DEV_HOST = 'http://127.0.0.1:4401'

/** Modules for separate chunks: only one host's page needs them, or they must not wait for the other code. */
const APART =
  /core\/kept-socket\.|renderer\/(\w+\.html|src\/(app\/(early|main\.\w+)|shared\/platform\/(browser|electron|session))\.)/
/** Fonts to preload for the first draw: otherwise they load after the style sheet, and the browser lays out the text twice. */
const FIRST_FONTS = /(inter|jetbrains-mono)-latin-wght-normal.*\.woff2$/

/** The bundler's preloads of modules. */
const MODULES = /\s*<link rel="modulepreload" crossorigin href="([^"]+)">/g

/** Makes both pages request all files of the first draw at once, in a way that uses Chromium's cache of compiled code. */
const firstDraw: Plugin = {
  name: 'first-draw',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => ({
      html: html.replaceAll(MODULES, ''),
      tags: [
        // Chromium uses its cache of compiled code for preloaded scripts but not for modulepreload; a module accepts either.
        ...[...html.matchAll(MODULES)].map(([, href]) => preload('script', 'text/javascript', href)),
        ...Object.values(bundle).flatMap((file): HtmlTagDescriptor[] => {
          const href = `./${file.fileName}`
          if (FIRST_FONTS.test(href)) return [preload('font', 'font/woff2', href)]
          if (file.type !== 'chunk' || file.name !== 'early') return []
          return [
            { tag: 'script', attrs: { type: 'module', async: true, src: href }, injectTo: 'head-prepend' },
          ]
        }),
      ],
    }),
  },
}

const preload = (as: string, type: string, href: string | undefined): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel: 'preload', as, type, crossorigin: true, href },
  injectTo: 'head-prepend',
})

/** Packages whose files the window holds, with their licences; it is in the build since those demand it. */
const LICENCES = 'licences.json'

/** Adds to the bundler's list of licences what only style sheets import: fonts, and the rules of Tailwind. */
const styleLicences: Plugin = {
  name: 'style-licences',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const list = bundle[LICENCES]
      if (list?.type !== 'asset') return
      const assets = Object.values(bundle).flatMap((file) =>
        file.type === 'asset' ? file.originalFileNames : [],
      )
      const names = assets.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])
      const added = [...new Set([...names, 'tailwindcss'])].map((name) => {
        const folder = resolve(root, 'node_modules', name)
        const { version, license } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'))
        return {
          name,
          version,
          identifier: license,
          text: readFileSync(resolve(folder, 'LICENSE'), 'utf8').trim(),
        }
      })
      list.source = JSON.stringify([...JSON.parse(String(list.source)), ...added], null, 2)
    },
  },
}

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      sourcemap: true,
      externalizeDeps: true,
      // The Electron main process and the plain-Node command line share their chunks; only `index` may reach electron.
      rolldownOptions: {
        // Its comments name the folder of the build, so that no two builds would be equal.
        experimental: { attachDebugInfo: 'none' },
        input: {
          index: resolve(root, 'src/main/index.ts'),
          cli: resolve(root, 'src/hosts/cli/index.ts'),
          library: resolve(root, 'src/hosts/library/index.ts'),
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload script may require only electron, and must be CommonJS.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve(root, 'src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(root, 'renderer'),
    resolve: { alias: { '@': resolve(root, 'renderer/src') } },
    plugins: [react(), tailwind(), firstDraw, styleLicences],
    // The window imports src/catalog, src/contract and parts of src/core, which are outside of its root.
    server: {
      host: '127.0.0.1',
      fs: { allow: [root] },
      // Without Electron the dev server proxies to the browser host, which accepts only its own origin.
      proxy: { '/api': { target: DEV_HOST, ws: true, changeOrigin: true, headers: { origin: DEV_HOST } } },
    },
    build: {
      outDir: resolve(root, 'out/renderer'),
      minify: true,
      license: { fileName: LICENCES },
      // The first draw's file alone exceeds the default limit; a test checks the first load's size (first-load.spec.ts).
      chunkSizeWarningLimit: 600,
      // The window's Content-Security-Policy allows files but no data: URLs; and Chromium preloads modules by itself.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        // One page per host, with its own transport, so that neither bundle contains the other's.
        input: {
          index: resolve(root, 'renderer/index.html'),
          electron: resolve(root, 'renderer/electron.html'),
          early: resolve(root, 'renderer/src/app/early.ts'),
        },
        // One file for the first draw: a dozen small ones cost more than their code.
        output: {
          codeSplitting: {
            groups: [{ name: 'window', tags: ['$initial'], test: (id) => !APART.test(id) }],
          },
        },
      },
    },
  },
})
