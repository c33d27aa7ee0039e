import type { Spanish } from '@/shared/i18n/translation.ts'
import type { common as english } from '@/shared/texts/en/common.ts'

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
