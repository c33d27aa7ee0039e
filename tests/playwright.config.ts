import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { SELECTED_SPECS, SELECTION } from './support/depth.ts'
import { installedChromium } from './support/find-chromium.mjs'

/** One of the machine, so that none has to be fetched; undefined leaves it to Playwright's own. */
const executablePath = installedChromium()

export default defineConfig({
  testDir: './e2e',
  outputDir: '../test-results',
  globalSetup: './support/threads.ts',
  // Three browsers beside each other, on machines with two cores and other work: what is late is not broken, what never comes is.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // Two leave a fifth of two cores waiting.
  workers: Math.max(3, availableParallelism() - 1),
  // A browser on a loaded machine may miss a moment once; what fails twice is broken.
  retries: 1,
  ...(SELECTION ? { grepInvert: /@long/ } : {}),
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // Without a graphics card one is simulated, at a tenth of all that the browser does.
      args: ['--disable-gpu'],
    },
  },
  projects: ['app', 'window', 'shell'].map((name) => ({
    name,
    testMatch: SELECTION ? SELECTED_SPECS.filter((spec) => spec.startsWith(name)) : `${name}/*.spec.ts`,
  })),
})
