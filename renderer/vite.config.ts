import config from '../electron.vite.config.ts'

/** The window's part of the configuration, for Vite's dev server on machines without Electron, which electron-vite requires. */
export default config.renderer
