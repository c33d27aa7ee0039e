import type { shell as english } from '@/app/texts/en/shell.ts'
import type { Spanish } from '@/shared/i18n/translation.ts'

export const shell: Spanish<typeof english> = {
  screens: 'Pantallas',
  stream: 'Entregas',
  documents: 'Documentos',
  reconcile: 'Conciliar',
  replays: 'Repeticiones',
  sandbox: 'Sandbox',
  plugins: 'Plugins',
  settings: 'Ajustes',
  drift: 'Deriva',
  help: 'Atajos de teclado',
  receiver: {
    listening: 'Escuchando',
    off: 'Receptor apagado',
    starting: 'Iniciando…',
    failed: 'Sin escuchar',
    start: 'Encender',
    copyUrl: 'Copiar la URL',
    connect: 'Cómo llega el servicio a esta dirección',
  },
  stored_one: '{{formatted}} guardada',
  stored_many: '{{formatted}} guardadas',
  stored_other: '{{formatted}} guardadas',
  today_one: '{{formatted}} hoy',
  today_many: '{{formatted}} hoy',
  today_other: '{{formatted}} hoy',
  rate: '{{formatted}}/s',
  disk: '{{used}} de {{budget}}',
  diskFull: '{{used}} de {{budget}} · {{free}} libres',
  diskHint: 'Disco que ocupa la base de datos, de su presupuesto. Abrir Retención',
  unjudged_one: '{{formatted}} en evaluación',
  unjudged_many: '{{formatted}} en evaluación',
  unjudged_other: '{{formatted}} en evaluación',
  rejected_one: '{{formatted}} rechazada',
  rejected_many: '{{formatted}} rechazadas',
  rejected_other: '{{formatted}} rechazadas',
  rejectedHint: 'Cabecera secreta ausente o incorrecta. Mostrarlas',
  refused_one: '{{formatted}} conexión rechazada',
  refused_many: '{{formatted}} conexiones rechazadas',
  refused_other: '{{formatted}} conexiones rechazadas',
  refusedHint:
    'Había más abiertas de las que permite receiver.maxConnectionsPerAddress o receiver.maxConnections. Lo que habrían traído se perdió.',
  evicted_one: '{{formatted}} rechazada más antigua salió de su anillo',
  evicted_many: '{{formatted}} rechazadas más antiguas salieron de su anillo',
  evicted_other: '{{formatted}} rechazadas más antiguas salieron de su anillo',
  faults_one: '{{count}} fallo activo',
  faults_many: '{{count}} de fallos activos',
  faults_other: '{{count}} fallos activos',
  theme: 'Tema: {{theme}}',
  themes: { system: 'el del sistema', light: 'claro', dark: 'oscuro' },
  language: 'Idioma',
  noSession: {
    title: 'Este navegador no tiene una sesión con Acuse',
    text: 'Ejecute esto en una terminal y abra el enlace que muestra. Un enlace sirve una sola vez, durante diez minutos.',
    tunnel: 'A través de un túnel SSH, ponga en el enlace el puerto de esta página.',
  },
  lost: {
    title: 'Sin conexión con Acuse.',
    text: 'Lo que ve puede ser antiguo. Las entregas se siguen recibiendo mientras su proceso corra.',
    retrying: 'Reintentando…',
    retryIn_one: 'Se reintenta en {{count}} s.',
    retryIn_many: 'Se reintenta en {{count}} s.',
    retryIn_other: 'Se reintenta en {{count}} s.',
    now: 'Reintentar ya',
  },
  failed: {
    'port-in-use': 'Otro programa ocupa el puerto {{port}} de {{host}}: no puede llegar ninguna entrega.',
    'no-permission':
      'El sistema no permite escuchar en el puerto {{port}} de {{host}}: no puede llegar ninguna entrega.',
    'bad-address': '{{host}} no es una dirección de esta computadora: no puede llegar ninguna entrega.',
    'bad-certificate':
      'No se puede usar el certificado del receptor: no puede llegar ninguna entrega. {{message}}',
    failed: 'No se pudo escuchar en {{host}}:{{port}} ({{message}}): no puede llegar ninguna entrega.',
    usePort: 'Usar el puerto {{port}}',
    settings: 'Ajustes del receptor',
  },
  store: {
    spilling_one:
      'No se puede escribir en la base de datos. {{formatted}} entrega espera en el diario de al lado; no se pierde.',
    spilling_many:
      'No se puede escribir en la base de datos. {{formatted}} de entregas esperan en el diario de al lado; no se pierde ninguna.',
    spilling_other:
      'No se puede escribir en la base de datos. {{formatted}} entregas esperan en el diario de al lado; no se pierde ninguna.',
    refusing:
      'No se puede guardar nada. A cada entrega se responde 503, y el servicio no la vuelve a enviar.',
    reason: 'El sistema dice: {{reason}}',
    path: 'Base de datos: {{path}}',
  },
  journal: {
    title: 'No se puede leer un diario con entregas',
    text: 'Sus entregas no están en ninguna lista. Siguen en el archivo, y Acuse lo leerá en su próximo arranque. El sistema dice: {{reason}}.',
  },
  budget: {
    warn: 'La base de datos ocupa {{used}}; su presupuesto es {{budget}}. Nada se borra solo: elija qué debe irse.',
    'delete-oldest':
      'La base de datos ocupa {{used}}; su presupuesto es {{budget}}. Se van las entregas más antiguas; si eso no basta, elija qué más debe irse.',
    refuse:
      'La base de datos ocupa {{used}}; su presupuesto es {{budget}}. Las entregas se rechazan hasta que haya espacio.',
    action: 'Elegir en Retención',
  },
  weakSecrets:
    'El almacén de secretos de este sistema no protege lo que guarda. Los secretos están tan seguros como su cuenta de usuario.',
  keyNames: {
    space: 'espacio',
    Del: 'Supr',
    Shift: 'Mayús',
    Enter: 'Intro',
    Home: 'Inicio',
    End: 'Fin',
    PgUp: 'RePág',
    PgDn: 'AvPág',
  },
}
