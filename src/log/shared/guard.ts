import { spawn } from 'node:child_process'

// Runs a server of PostgreSQL until its standard input closes, as it does when the process that started it is killed: so no trial and no
// test leaves servers behind, however it ends. Arguments: the program, its data folder, and the user to run as.
const [program = '', data = '', uid] = process.argv.slice(2)
const as = uid === undefined ? {} : { uid: Number(uid), gid: Number(uid) }
const server = spawn(program, ['-D', data], { ...as, cwd: data, stdio: ['ignore', 'ignore', 'inherit'] })
server.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
  process.stdin.destroy()
})
server.on('exit', (code) => process.exit(code ?? 1))
process.stdin.resume().on('close', () => server.kill('SIGQUIT'))
