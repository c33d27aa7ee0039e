import { createElectronPlatform } from './platform/electron.ts'
import { startWindow } from './start-window.tsx'

if (!window.acuse) throw new Error('the preload script did not run')
startWindow(createElectronPlatform(window.acuse))
