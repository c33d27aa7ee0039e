import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { SELECTED_SPECS, SELECTION } from './support/depth.ts'
import { installedChromium } from './support/find-chromium.mjs'

/** The machine's Chromium, which needs no download; undefined: Playwright's own. */
const executablePath = installedChromium()

export default defineConfig({
  testDir: './e2e',
  outputDir: '../test-results',
  globalSetup: './support/threads.ts',
  // Long, since three browsers share two cores with other work: a late result is no failure, a missing one is.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // Two workers leave a fifth of two cores idle.
  workers: Math.max(3, availableParallelism() - 1),
  // A browser on a loaded machine may be late once; a second failure is real.
  retries: 1,
  ...(SELECTION ? { grepInvert: /@long/ } : {}),
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // Without a graphics card Chromium simulates one, which takes a tenth of its time.
      args: ['--disable-gpu'],
    },
  },
  projects: ['app', 'window', 'shell'].map((name) => ({
    name,
    testMatch: SELECTION ? SELECTED_SPECS.filter((spec) => spec.startsWith(name)) : `${name}/*.spec.ts`,
  })),
})
