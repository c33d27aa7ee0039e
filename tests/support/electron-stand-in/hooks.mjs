import { registerHooks } from 'node:module'

// Resolves both `import` and Playwright's `require('electron')` in the inspector.
const url = new URL('./electron.mjs', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url, format: 'module', shortCircuit: true }
      : next(specifier, context),
})
