import { contextBridge, ipcRenderer } from 'electron'
import type { ConnectionState, Push } from '#contract/pushes.ts'
import { ACTION, CONNECTION, FILES, INVOKE, MENU, PUSH, RECONNECT } from './channels.ts'

/**
 * The page's whole interface. Its functions pass plain values and no object of Electron: the event object that `ipcRenderer.on`
 * gives to listeners contains the sender, so they are wrapped (Electron security checklist, item 20).
 */
contextBridge.exposeInMainWorld('acuse', {
  call: (command: string, params: unknown): Promise<unknown> => ipcRenderer.invoke(INVOKE, command, params),
  files: {
    begin: (name: string): Promise<unknown> => ipcRenderer.invoke(FILES, 'begin', name),
    write: (id: number, bytes: string): Promise<unknown> => ipcRenderer.invoke(FILES, 'write', id, bytes),
    end: (id: number, keep: boolean): Promise<unknown> => ipcRenderer.invoke(FILES, 'end', id, keep),
    folder: (): Promise<unknown> => ipcRenderer.invoke(FILES, 'folder'),
  },
  onPush: (listener: (push: Push) => void): (() => void) => {
    const forward = (_event: unknown, push: Push): void => listener(push)
    ipcRenderer.on(PUSH, forward)
    return () => {
      ipcRenderer.off(PUSH, forward)
    }
  },
  onConnection: (listener: (state: ConnectionState, retryAt: number | null) => void): (() => void) => {
    const forward = (_event: unknown, state: ConnectionState, retryAt: number | null): void =>
      listener(state, retryAt)
    ipcRenderer.on(CONNECTION, forward)
    return () => {
      ipcRenderer.off(CONNECTION, forward)
    }
  },
  reconnect: (): void => ipcRenderer.send(RECONNECT),
  setMenu: (menu: unknown): void => ipcRenderer.send(MENU, menu),
  onAction: (listener: (id: string, asKey: boolean) => void): void => {
    ipcRenderer.on(ACTION, (_event: unknown, id: string, asKey: boolean): void => listener(id, asKey))
  },
})
