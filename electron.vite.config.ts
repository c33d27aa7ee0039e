import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const root = import.meta.dirname
/** The browser host of `npm run dev`. */
const DEV_HOST = 'http://127.0.0.1:4401'

/**
 * Small modules that the first draw needs and later chunks share: each would be a file of its own, and what each of them costs besides
 * its code counts against the first load (targets, P16).
 */
const FIRST = new RegExp(
  [
    'catalog/(kinds|text)',
    'contract/(delivery|errors)',
    'core/filter/(glob|tokens|tree|values)',
    'renderer/src/components/(cx|kbd)',
    'renderer/src/i18n/format',
    'renderer/src/live/(api|delivery-set|delivery-source|filter-edit|list|membership|page-cache)',
    'renderer/src/platform/refusal-error',
    'renderer/src/stores/(cursor|filter|follow|remembered|settings|status)',
  ]
    .map((part) => `/${part}\\.tsx?$`)
    .join('|'),
)

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
    plugins: [react()],
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
        output: { codeSplitting: { groups: [{ name: 'first', test: FIRST }] } },
      },
    },
  },
})
