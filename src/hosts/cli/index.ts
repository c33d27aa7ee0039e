// Without a listener Node opens its inspector on this signal, and every user of the machine could connect to it.
process.on('SIGUSR1', () => {})

// No top-level await: the npm package's command requires this module. In a file of its own, since other built files import parts of it.
void import('./main.ts').then(({ main }) => main(process.argv.slice(2))).then((code) => process.exit(code))
