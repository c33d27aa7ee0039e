// The module that main processes import as "electron". Other members are missing on purpose: their use fails at once.
export { app } from './app.mjs'
export { clipboard, dialog, Menu, Notification, nativeImage, shell, Tray } from './desktop.mjs'
export { ipcMain } from './ipc.mjs'
export { protocol } from './protocol.mjs'
export { session } from './session.mjs'
export { nativeTheme, safeStorage, screen } from './system.mjs'
export { webContents } from './web-contents.mjs'
export { BrowserWindow } from './window.mjs'
