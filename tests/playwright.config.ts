import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { defineConfig } from '@playwright/test'

/** A Chromium of the machine, so that none has to be fetched; undefined leaves it to Playwright's own. */
function installedChromium(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])
    for (const folder of folders) if (existsSync(join(folder, name))) return join(folder, name)
  return undefined
}
const executablePath = installedChromium()

export default defineConfig({
  testDir: './e2e',
  outputDir: '../test-results',
  timeout: 30_000,
  workers: 1,
  // A browser on a loaded machine may miss a moment once; what fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: executablePath ? { executablePath } : {},
  },
  projects: [
    { name: 'app', testMatch: 'app/*.spec.ts' },
    {
      name: 'renderer',
      testMatch: 'renderer/*.spec.ts',
      use: { baseURL: 'http://127.0.0.1:4478/tests/e2e/renderer/fake.html' },
    },
    { name: 'shell', testMatch: 'shell/*.spec.ts' },
  ],
  webServer: {
    command:
      'vite build -c tests/fake-window.config.ts --logLevel warn && vite preview -c tests/fake-window.config.ts',
    cwd: '..',
    url: 'http://127.0.0.1:4478/tests/e2e/renderer/fake.html',
    reuseExistingServer: !process.env.CI,
  },
})
