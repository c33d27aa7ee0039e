import type { Spanish } from '@/shared/i18n/translation.ts'
import type {
  common as english,
  components as englishComponents,
  errors as englishErrors,
} from '@/shared/texts/en/common.ts'

export const components: Spanish<typeof englishComponents> = {
  copy: { label: 'Copiar', copied: 'Copiado', failed: 'No se pudo usar el portapapeles' },
  headers: {
    add: 'Agregar cabecera',
    name: 'Nombre de la cabecera {{number}}',
    nameHint: 'Nombre',
    value: 'Valor de la cabecera {{number}}',
    valueHint: 'Valor',
    kept: 'se conserva: {{value}}',
    secret: 'Secreta',
    remove: 'Quitar la cabecera {{number}}',
  },
}

export const errors: Spanish<typeof englishErrors> = {
  'bad-params': 'Algún valor no es válido: {{message}}',
  'unknown-command': 'Esta ventana y su servidor son de versiones distintas. Recargue la ventana.',
  'not-found': 'Ya no existe: {{message}}',
  'bad-filter': 'El filtro no es válido: {{message}}',
  conflict: 'No es compatible con lo que ya hay: {{message}}',
  'not-available': 'Ahora mismo no está disponible: {{message}}',
  forbidden: 'Esta ventana ya no tiene sesión. Ejecute «acuse link» y abra el enlace que imprime.',
  'store-failed': 'La base de datos falló: {{message}}',
  'in-use': 'Está en uso por otro programa: {{message}}',
  'newer-schema': 'Los datos son de una versión más nueva de Acuse: {{message}}',
  internal: 'Algo falló dentro de Acuse: {{message}}',
}

export const common: Spanish<typeof english> = {
  copy: 'Copiar',
  copied: 'Copiado',
  cancel: 'Cancelar',
  close: 'Cerrar',
  retry: 'Reintentar',
  loading: 'Cargando…',
  verdict: {
    valid: 'válida',
    noted: 'con notas',
    warning: 'con avisos',
    invalid: 'inválida',
    unreadable: 'ilegible',
    unjudged: 'evaluando…',
  },
  mark: {
    duplicate: 'duplicada',
    late: 'tardía',
    'out-of-order': 'fuera de orden',
    replay: 'repetición',
    drift: 'deriva',
    synthetic: 'sintética',
    pinned: 'fijada',
    rejected: 'rechazada',
    malformed: 'malformada',
  },
  malformed: {
    unparseable: 'no se pudo leer como HTTP',
    expectation: 'cabecera Expect desconocida',
    connect: 'petición CONNECT',
    'cut-off': 'cortada antes del final',
    timeout: 'emisor demasiado lento',
    'too-large': 'cuerpo mayor que el límite',
  },
  weakSecrets:
    'El almacén de secretos de este sistema no protege lo que contiene: quien pueda leer sus archivos puede leer los secretos. Instale un llavero como GNOME Keyring o KWallet, o use valores que pueda reemplazar.',
}
