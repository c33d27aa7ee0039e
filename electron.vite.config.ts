import { resolve } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { HtmlTagDescriptor, Plugin } from 'vite'

const root = import.meta.dirname
/** The browser host of `npm run dev`. */
const DEV_HOST = 'http://127.0.0.1:4401'

/** What only one of the two hosts' pages needs, or what must not wait for the rest. */
const APART =
  /renderer\/(\w+\.html|src\/(app\/(early|main\.\w+)|shared\/platform\/(browser|electron|push-socket|session))\.)/
/** Fonts of the first draw: found through the style sheet they would come after it, and text be laid out twice. */
const FIRST_FONTS = /(inter|jetbrains-mono)-latin-wght-normal.*\.woff2$/

/** What the bundler asks for ahead of the page's own module. */
const MODULES = /\s*<link rel="modulepreload" crossorigin href="([^"]+)">/g

/** Lets both pages ask at once for what the first draw needs, and have its code as it was compiled the last time. */
const firstDraw: Plugin = {
  name: 'first-draw',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => ({
      html: html.replaceAll(MODULES, ''),
      tags: [
        // Chromium looks for what it compiled before where a script is preloaded, not where a module is; a module takes either.
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
    plugins: [react(), tailwind(), firstDraw],
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
      // The first draw's file alone is larger than the usual bound; a test holds what it weighs (first-load.spec.ts).
      chunkSizeWarningLimit: 600,
      // The window's Content-Security-Policy loads files, not data: URLs; and Chromium preloads modules by itself.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        // One page per host: each names its own transport, so neither bundle holds the other's.
        input: {
          index: resolve(root, 'renderer/index.html'),
          electron: resolve(root, 'renderer/electron.html'),
          early: resolve(root, 'renderer/src/app/early.ts'),
        },
        // All that the first draw needs is one file: a dozen small ones cost more than their code.
        output: {
          codeSplitting: {
            groups: [{ name: 'window', tags: ['$initial'], test: (id) => !APART.test(id) }],
          },
        },
      },
    },
  },
})
