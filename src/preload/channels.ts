/**
 * IPC channels between page and main process. Commands, files and the app's menu go to main; pushes and selected actions go to the page. An attached
 * window also gets the state of its connection, and asks main to connect again.
 */
export const INVOKE = 'acuse:invoke'
export const FILES = 'acuse:files'
export const PUSH = 'acuse:push'
export const MENU = 'acuse:menu'
export const ACTION = 'acuse:action'
export const CONNECTION = 'acuse:connection'
export const RECONNECT = 'acuse:reconnect'
