import shell from '@/app/texts/en/shell.json'
import stream from '@/features/stream/texts/en/stream.json'
import type { TextFiles, Texts } from '@/shared/i18n/texts.ts'
import common from '@/shared/texts/en/common.json'
import components from '@/shared/texts/en/components.json'
import errors from '@/shared/texts/en/errors.json'

/** English texts of the first render. Others load with their screen, Spanish ones with the language. The host sends refusals in English. */
export const FIRST_TEXTS = { common, components, errors, refusals: {}, shell, stream }

const FILES = import.meta.glob<Texts>(
  [
    '../**/texts/*/*.json',
    '!../shared/texts/en/{common,components,errors}.json',
    '!../app/texts/en/shell.json',
    '!../features/stream/texts/en/stream.json',
  ],
  { import: 'default' },
)

async function spanishRefusals(): Promise<Texts> {
  const [own, sandbox] = await Promise.all([
    import('#contract/refusals-es.json'),
    import('@/shared/i18n/sandbox-refusals.es.json'),
  ])
  return { ...own.default, sandbox: sandbox.default }
}

/** Loads a namespace in a language, by `en/shell` and the like. */
export const TEXT_FILES: TextFiles = new Map([
  ...Object.entries(FILES).map(
    ([path, load]) => [path.split('/').slice(-2).join('/').replace('.json', ''), load] as const,
  ),
  ['es/refusals', spanishRefusals] as const,
])
