export function findChromium(root: string, node: string): Promise<string | undefined>
export function installedChromium(): string | undefined
export function installFromDebian(...names: string[]): Promise<boolean>
