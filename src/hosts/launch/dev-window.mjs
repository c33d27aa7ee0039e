// The window's part of electron.vite.config.ts on Vite's dev server, for machines without Electron: electron-vite would insist on it.
import { createServer } from 'vite'
import config from '../../../electron.vite.config.ts'

const server = await createServer({ ...config.renderer, configFile: false })
await server.listen()
server.printUrls()
