import { createBrowserPlatform, onSession, takeSession } from '@/shared/platform/browser.ts'
import { startWindow, startWithoutSession } from './start-window.tsx'

const key = await takeSession()
if (key !== null) startWindow(createBrowserPlatform(key))
else {
  onSession(() => location.reload())
  startWithoutSession()
}
