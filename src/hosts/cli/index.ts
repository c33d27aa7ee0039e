import { main } from './main.ts'

// Without a listener Node opens its inspector on this signal, and every user of the machine could connect to it.
process.on('SIGUSR1', () => {})

// No top-level await: the npm package's command requires this module.
void main(process.argv.slice(2)).then((code) => process.exit(code))
