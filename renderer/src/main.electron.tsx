import { createElectronPlatform } from './platform/electron.ts'
import { startWindow } from './start-window.tsx'

if (!window.acuse) throw new Error('the preload script did not run')
const bridge = window.acuse
startWindow(createElectronPlatform(bridge))
void import('./views/shell/app-menu.ts').then(({ keepAppMenu }) => keepAppMenu(bridge))
