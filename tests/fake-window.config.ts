import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = resolve(import.meta.dirname, '..')
const served = { host: '127.0.0.1', port: Number(process.env.FAKE_WINDOW_PORT ?? 4478), strictPort: true }

/** The window on its fake host: built and served for the specs of tests/e2e/renderer, never shipped. */
export default defineConfig({
  root,
  resolve: { alias: { '@': resolve(root, 'renderer/src') } },
  plugins: [react(), tailwind()],
  server: served,
  preview: served,
  build: {
    outDir: process.env.FAKE_WINDOW_OUT ?? join(tmpdir(), `acuse-fake-window-${served.port}`),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // Nobody loads it but a test.
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { fake: resolve(root, 'tests/e2e/renderer/fake.html') } },
  },
})
