import type { Spanish } from '@/shared/i18n/translation.ts'
import type { filters as english } from '@/shared/texts/en/filters.ts'

export const filters: Spanish<typeof english> = {
  saved: {
    title: 'Filtros guardados y recientes',
    heading: 'Guardados',
    none: 'Ninguno todavía. Escriba un filtro y vuelva aquí para darle nombre; la línea de comandos lo acepta como --filter @nombre.',
    recent: 'Usados últimamente',
    name: 'Nombre para este filtro',
    save: 'Guardar',
    replaces: 'Reemplaza el filtro de ese nombre: {{filter}}',
    rename: 'Cambiar el nombre de {{name}}',
    newName: 'Nuevo nombre de {{name}}',
    taken: 'Otro filtro se llama {{name}}. Elija otro nombre.',
    badName: 'Use letras, cifras, espacios, «.», «_» y «-», con una letra o cifra en ambos extremos.',
    cancel: 'Cancelar',
    remove: 'Quitar {{name}}',
    notify: 'Avisar de las entregas que coincidan con {{name}}',
    ask: 'Aún no se ha preguntado a este navegador si Acuse puede mostrar avisos.',
    allow: 'Permitir avisos',
    denied: 'Este navegador no deja que Acuse muestre avisos; se permiten en sus ajustes para esta página.',
  },
  notice: {
    unknown: 'evento desconocido',
    more_one: '{{facts}}, y {{count, number}} más',
    more_many: '{{facts}}, y {{count, number}} más',
    more_other: '{{facts}}, y {{count, number}} más',
  },
  search: {
    progress: 'Entregas revisadas',
    running_one: 'Buscando en entregas anteriores: {{share}} % revisado, {{found}} encontrada',
    running_many: 'Buscando en entregas anteriores: {{share}} % revisado, {{found}} encontradas',
    running_other: 'Buscando en entregas anteriores: {{share}} % revisado, {{found}} encontradas',
    stopped_one: 'Detenida en el {{share}} %: {{found}} encontrada hasta ahora',
    stopped_many: 'Detenida en el {{share}} %: {{found}} encontradas hasta ahora',
    stopped_other: 'Detenida en el {{share}} %: {{found}} encontradas hasta ahora',
    stop: 'Detener',
    resume: 'Continuar',
  },
}
