import { join } from 'node:path'

/** What runs as a service: Node, the command line and its words, and the data folder. */
export interface ServiceProgram {
  readonly command: readonly string[]
  readonly dataDir: string
}

/** A service of this user, as a system defines it. */
export interface Definition {
  /** Name of the system's manager, for messages. */
  readonly manager: string
  readonly file: string
  readonly content: string
  /** Commands that end the running service before `start`; they fail when none runs. */
  readonly end: readonly Words[]
  /** Commands that make the system read the file and start the service, and those that stop it and forget it. */
  readonly start: readonly Words[]
  readonly stop: readonly Words[]
  /** Command that prints the service's state, and what it prints while the service runs. */
  readonly state: Words
  readonly runs: RegExp
  /** What the user has to know or do besides; null: nothing. */
  readonly hint: string | null
}
type Words = readonly [program: string, ...args: string[]]

export interface Surroundings {
  readonly platform: NodeJS.Platform
  readonly home: string
  /** User id; launchd names a user's services by it. */
  readonly uid: number
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Names the data folder in a definition, in characters that no format gives a meaning. */
const mark = (dataDir: string): string => `data=${encodeURIComponent(dataDir).replaceAll('-', '%2D')}`

/** @returns the data folder of a written definition; undefined when Acuse did not write it */
export function dataOf(content: string): string | undefined {
  const [, marked] = /\bdata=(\S+)/.exec(content) ?? []
  return marked && decodeURIComponent(marked)
}

export function definitionFor(program: ServiceProgram, around: Surroundings): Definition {
  if (around.platform === 'darwin') return launchAgent(program, around)
  return around.platform === 'win32' ? scheduledTask(program, around) : systemdUnit(program, around)
}

/**
 * Without the options that need a namespace (ProtectSystem, PrivateTmp): user managers cannot make one on every system, and the local socket
 * may be in the temporary folder. MemoryDenyWriteExecute would stop V8.
 */
function systemdUnit({ command, dataDir }: ServiceProgram, { home, env }: Surroundings): Definition {
  const unit = 'acuse.service'
  const word = (text: string) =>
    `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`
  const systemctl = (...args: string[]): Words => ['systemctl', '--user', ...args]
  return {
    manager: 'systemd',
    file: join(env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user', unit),
    content: `# ${mark(dataDir)}
[Unit]
Description=Acuse, which receives webhooks into ${dataDir.replaceAll('%', '%%')}
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${command.map(word).join(' ')}
Restart=always
RestartSec=1
TimeoutStopSec=10
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native

[Install]
WantedBy=default.target
`,
    end: [],
    start: [systemctl('daemon-reload'), systemctl('enable', unit), systemctl('restart', unit)],
    stop: [systemctl('disable', '--now', unit)],
    state: systemctl('show', unit, '--property=ActiveState,SubState,MainPID,NRestarts'),
    runs: /^ActiveState=active$/m,
    hint: 'It runs while you are logged in. To start it with the machine: loginctl enable-linger',
  }
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function launchAgent({ command, dataDir }: ServiceProgram, { home, uid }: Surroundings): Definition {
  const label = 'acuse.serve'
  const file = join(home, 'Library', 'LaunchAgents', `${label}.plist`)
  const string = (text: string) => `<string>${xml(text)}</string>`
  const log = string(join(dataDir, 'service.log'))
  const bootout: Definition['stop'] = [['launchctl', 'bootout', `gui/${uid}/${label}`]]
  return {
    manager: 'launchd',
    file,
    content: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${mark(dataDir)} -->
<plist version="1.0">
<dict>
  <key>Label</key>${string(label)}
  <key>ProgramArguments</key>
  <array>
${command.map((text) => `    ${string(text)}`).join('\n')}
  </array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>ThrottleInterval</key><integer>1</integer>
  <key>ExitTimeOut</key><integer>10</integer>
  <key>Umask</key><integer>63</integer>
  <key>StandardOutPath</key><string>/dev/null</string>
  <key>StandardErrorPath</key>${log}
</dict>
</plist>
`,
    // launchd reads the file only once, and keeps a service that it knows.
    end: bootout,
    start: [['launchctl', 'bootstrap', `gui/${uid}`, file]],
    stop: bootout,
    state: ['launchctl', 'print', `gui/${uid}/${label}`],
    runs: /^\s*state = running$/m,
    hint: null,
  }
}

/** A task of the user's logon; the system restarts it when it fails. */
function scheduledTask({ command, dataDir }: ServiceProgram, { home, env }: Surroundings): Definition {
  const [program = '', ...args] = command
  // Backslashes before a quote, and at the end, would escape it (CommandLineToArgvW).
  const word = (text: string) => `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
  const file = join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'acuse-service.xml')
  // A task for the logon of every user would need an administrator.
  const user = `<UserId>${xml([env.USERDOMAIN, env.USERNAME].filter(Boolean).join('\\'))}</UserId>`
  return {
    manager: 'Task Scheduler',
    file,
    content: `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${mark(dataDir)} -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Acuse, which receives webhooks into ${xml(dataDir)}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger><Enabled>true</Enabled>${user}</LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">${user}<LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xml(program)}</Command>
      <Arguments>${xml(args.map(word).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`,
    // Otherwise the old instance goes on, and IgnoreNew keeps the new one from starting.
    end: [['schtasks', '/end', '/tn', 'Acuse']],
    start: [
      ['schtasks', '/create', '/tn', 'Acuse', '/xml', file, '/f'],
      ['schtasks', '/run', '/tn', 'Acuse'],
    ],
    stop: [
      ['schtasks', '/end', '/tn', 'Acuse'],
      ['schtasks', '/delete', '/tn', 'Acuse', '/f'],
    ],
    state: ['powershell', '-NoProfile', '-Command', "(Get-ScheduledTask -TaskName 'Acuse').State"],
    runs: /^Running\s*$/m,
    hint: 'It starts with your logon. After a failure Windows waits a minute before it starts it again.',
  }
}
