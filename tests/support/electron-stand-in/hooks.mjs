import { registerHooks } from 'node:module'

// Both `import` and Playwright's `require('electron')` in the inspector come through here.
const url = new URL('./electron.mjs', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url, format: 'module', shortCircuit: true }
      : next(specifier, context),
})
