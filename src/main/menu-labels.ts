/** Labels of the application menu in both languages of the product. */
export type Language = 'en' | 'es'

const LABELS = {
  about: ['About Acuse', 'Acerca de Acuse'],
  address: ['Copy Receiver Address', 'Copiar la dirección del receptor'],
  close: ['Close Window', 'Cerrar ventana'],
  closeDetails: ['Close Details', 'Cerrar el detalle'],
  compare: ['Compare', 'Comparar'],
  copy: ['Copy', 'Copiar'],
  cut: ['Cut', 'Cortar'],
  dataFolder: ['Show Data Folder', 'Mostrar la carpeta de datos'],
  delivery: ['&Delivery', 'En&trega'],
  devTools: ['Developer Tools', 'Herramientas de desarrollo'],
  dock: ['Details Beside or Below', 'Detalle al lado o debajo'],
  documents: ['Documents', 'Documentos'],
  edit: ['&Edit', '&Edición'],
  file: ['&File', '&Archivo'],
  find: ['Search', 'Buscar'],
  follow: ['Follow the Newest', 'Seguir las nuevas'],
  fullScreen: ['Full Screen', 'Pantalla completa'],
  help: ['&Help', 'Ay&uda'],
  hide: ['Hide Acuse', 'Ocultar Acuse'],
  hideOthers: ['Hide Others', 'Ocultar otros'],
  minimise: ['Minimise', 'Minimizar'],
  newest: ['Newest', 'La más reciente'],
  next: ['Next', 'Siguiente'],
  oldest: ['Oldest', 'La más antigua'],
  note: ['Note…', 'Nota…'],
  open: ['Open Details', 'Abrir el detalle'],
  palette: ['Find an Action…', 'Buscar una acción…'],
  paste: ['Paste', 'Pegar'],
  pause: ['Pause or Continue', 'Pausar o continuar'],
  pin: ['Pin or Unpin', 'Fijar o soltar'],
  plugins: ['Plugins', 'Plugins'],
  previous: ['Previous', 'Anterior'],
  quit: ['Quit Acuse', 'Salir de Acuse'],
  redo: ['Redo', 'Rehacer'],
  reload: ['Reload Window', 'Recargar la ventana'],
  replay: ['Replay', 'Repetir'],
  reconcile: ['Reconcile', 'Conciliar'],
  replays: ['Replays', 'Repeticiones'],
  replaySheet: ['Replay…', 'Repetir…'],
  sandbox: ['Sandbox', 'Sandbox'],
  selectAll: ['Select All', 'Seleccionar todo'],
  settings: ['Settings…', 'Ajustes…'],
  shortcuts: ['Keyboard Shortcuts', 'Atajos de teclado'],
  showAll: ['Show All', 'Mostrar todo'],
  startReceiver: ['Start Receiver', 'Iniciar el receptor'],
  stopReceiver: ['Stop Receiver', 'Detener el receptor'],
  stream: ['Stream', 'Flujo'],
  tags: ['Tags…', 'Etiquetas…'],
  timeline: ['Show or Hide Timeline', 'Mostrar u ocultar la línea de tiempo'],
  undo: ['Undo', 'Deshacer'],
  view: ['&View', '&Ver'],
  window: ['&Window', 'Ve&ntana'],
  zoom: ['Zoom', 'Ampliar'],
  zoomIn: ['Zoom In', 'Acercar'],
  zoomOut: ['Zoom Out', 'Alejar'],
  zoomReset: ['Actual Size', 'Tamaño real'],
} as const satisfies Record<string, readonly [en: string, es: string]>

export type LabelKey = keyof typeof LABELS

export const label = (key: LabelKey, language: Language): string => LABELS[key][language === 'es' ? 1 : 0]

/**
 * The language of the menu: the one chosen in Settings, else the system's when it is Spanish, else English.
 * @param locale BCP 47, as `app.getLocale` gives it
 */
export function menuLanguage(chosen: 'system' | Language, locale: string): Language {
  if (chosen !== 'system') return chosen
  return /^es(-|$)/i.test(locale) ? 'es' : 'en'
}
