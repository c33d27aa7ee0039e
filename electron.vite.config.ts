import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'

const root = import.meta.dirname
/** The browser host of `npm run dev`. */
const DEV_HOST = 'http://127.0.0.1:4401'

/** What only one of the two hosts' pages needs. */
const OF_ONE_HOST = /renderer\/(\w+\.html|src\/(main\.|platform\/(browser|electron|push-socket)))/

/** Fonts of the first draw: found through the style sheet they would come after it, and text be laid out twice. */
const FIRST_FONTS = /(inter|jetbrains-mono)-latin-wght-normal.*\.woff2$/

const preloadFonts: Plugin = {
  name: 'preload-fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => FIRST_FONTS.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `./${file}`, crossorigin: true },
          injectTo: 'head-prepend',
        })),
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
        input: { index: resolve(root, 'src/main/index.ts'), cli: resolve(root, 'src/hosts/cli/index.ts') },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload may require nothing but electron, and must be CommonJS.
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
    plugins: [react(), preloadFonts],
    // The window shares src/catalog, src/contract and parts of src/core, which lie outside its root.
    server: {
      host: '127.0.0.1',
      fs: { allow: [root] },
      // Without Electron the dev server stands before the browser host, which accepts its own origin only.
      proxy: { '/api': { target: DEV_HOST, ws: true, changeOrigin: true, headers: { origin: DEV_HOST } } },
    },
    build: {
      outDir: resolve(root, 'out/renderer'),
      minify: true,
      // The window's Content-Security-Policy loads files, not data: URLs; and Chromium preloads modules by itself.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        // One page per host: each names its own transport, so neither bundle holds the other's.
        input: {
          index: resolve(root, 'renderer/index.html'),
          electron: resolve(root, 'renderer/electron.html'),
        },
        // All that the first draw needs is one file: a dozen small ones cost more than their code.
        output: {
          codeSplitting: {
            groups: [{ name: 'window', tags: ['$initial'], test: (id) => !OF_ONE_HOST.test(id) }],
          },
        },
      },
    },
  },
})
