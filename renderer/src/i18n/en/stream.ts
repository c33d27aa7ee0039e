export const stream = {} as const
