import { createElectronPlatform } from '@/shared/platform/electron.ts'
import { startWindow } from './start-window.tsx'

if (!window.acuse) throw new Error('the preload script did not run')
const bridge = window.acuse
startWindow(createElectronPlatform(bridge))
void import('./app-menu.ts').then(({ keepAppMenu }) => keepAppMenu(bridge))
