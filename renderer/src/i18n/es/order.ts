export const order = {
  progress: 'Entregas puestas en orden',
  making: 'Ordenando por {{column}}: {{share}} % de {{of}}',
  standsUp:
    'Por {{column}}, en orden ascendente. La lista queda quieta: lo que llega se cuenta hasta que usted lo pida.',
  standsDown:
    'Por {{column}}, en orden descendente. La lista queda quieta: lo que llega se cuenta hasta que usted lo pida.',
  new_one: '{{formatted}} nueva: mostrar',
  new_many: '{{formatted}} nuevas: mostrar',
  new_other: '{{formatted}} nuevas: mostrar',
  renew: 'Poner en su lugar lo que llegó desde entonces',
  back: 'La más reciente primero',
  go: {
    label: 'Hora a la que ir',
    hint: '14:05, 2026-11-01, -2h, ayer',
    go: 'Ir',
    close: 'Cerrar',
    wrong: 'Eso no es una hora. Escriba 14:05, 2026-11-01, 2026-11-01T10:00, -2h, hoy o ayer.',
    none: 'No hay ninguna entrega en esta lista.',
    before: 'Desde entonces no llegó nada. Esta es la última anterior: {{at}}.',
  },
}
