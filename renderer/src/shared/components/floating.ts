/** Where menus and tooltips are put: inside the main landmark, as everything on the page has to be inside one. */
export const floatingLayer = (): HTMLElement | null => document.querySelector('main')
