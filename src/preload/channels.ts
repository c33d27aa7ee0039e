/** The IPC channels of Acuse: commands in, pushes out; the app's menu in, what was chosen in it out. Named once for main and preload. */
export const INVOKE = 'acuse:invoke'
export const PUSH = 'acuse:push'
export const MENU = 'acuse:menu'
export const ACTION = 'acuse:action'
