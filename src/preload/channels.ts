/** The two IPC channels of Acuse: commands in, pushes out. Named once, so that main and preload cannot drift apart. */
export const INVOKE = 'acuse:invoke'
export const PUSH = 'acuse:push'
