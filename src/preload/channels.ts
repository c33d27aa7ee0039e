/** IPC channels between page and main process: commands, files and the app's menu go to main; pushes and chosen actions go to the page. */
export const INVOKE = 'acuse:invoke'
export const FILES = 'acuse:files'
export const PUSH = 'acuse:push'
export const MENU = 'acuse:menu'
export const ACTION = 'acuse:action'
