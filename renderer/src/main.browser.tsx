import { createBrowserPlatform } from './platform/browser.ts'
import { startWindow } from './start-window.tsx'

startWindow(createBrowserPlatform())
