import type { fileCheck as english } from '@/features/delivery/texts/en/file-check.ts'
import type { Spanish } from '@/shared/i18n/translation.ts'

export const fileCheck: Spanish<typeof english> = {
  title: 'Validar un archivo',
  lead: 'Se juzga como el cuerpo de una entrega: un POST de application/json. El archivo se lee en esta ventana; no se envía nada ni se guarda nada.',
  choose: 'Elegir un archivo…',
  chooseOther: 'Elegir otro archivo…',
  drop: 'O suelte uno en cualquier parte de la ventana; hasta {{most}}.',
  reading: 'Leyendo y comprobando…',
  noEvent: 'Sin evento',
  others_one: 'Solo se comprueba el primer archivo; el otro no se tocó.',
  others_many: 'Solo se comprueba el primer archivo; los otros {{count}} no se tocaron.',
  others_other: 'Solo se comprueba el primer archivo; los otros {{count}} no se tocaron.',
  refused: {
    folder: 'Eso es una carpeta, o no es un archivo. Suelte el archivo mismo.',
    large: 'El archivo tiene {{size}}; se leen {{most}} como máximo, igual que de una entrega.',
    unreadable: 'No se pudo leer el archivo: {{reason}}',
  },
}
