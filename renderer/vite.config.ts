import config from '../electron.vite.config.ts'

/** The window's part alone, for Vite's own dev server on machines without Electron: electron-vite would insist on it. */
export default config.renderer
