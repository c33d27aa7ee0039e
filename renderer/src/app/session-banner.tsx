import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { SessionInfo } from '#contract/session.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { ACTIONS } from './actions.ts'
import './session-banner.css'

/** Actions that change something, or lead to screens where everything does. */
const WRITES =
  /^(?:pin|tags|note|delete|deleteShown|replay|replaySheet|emit|import|new-sweep|undo|connect|(?:start|stop)-receiver|copy-address|(?:theme|language|sandbox|settings)-.*|go-(?:sandbox|plugins|settings))$/

/** Makes the window read-only, for as long as it lives: a host that opened a session opens nothing else. */
function makeReadOnly(): void {
  document.documentElement.dataset.session = ''
  for (const action of ACTIONS)
    if (WRITES.test(action.id))
      Object.assign(action, { when: () => 'session' } satisfies Pick<typeof action, 'when'>)
}

/** Says that the window shows a session file, and hides what would change something. The host refuses it in any case. */
export function SessionBanner({ session }: { readonly session: SessionInfo }) {
  const { t } = useTranslation('incident')
  useEffect(makeReadOnly, [])
  const { file, createdAt, version, masked } = session
  const [kind] = masked
  const hidden =
    masked.length > 1
      ? t('session.masked')
      : kind === 'credential'
        ? t('session.maskedCredential')
        : t('session.maskedPersonal')
  return (
    <Banner tone="info" title={t('session.title')}>
      <span title={file}>
        {t('session.text', { name: file.split(/[\\/]/).at(-1), when: createdAt * 1_000, version })}
      </span>{' '}
      {kind === undefined ? null : hidden}
    </Banner>
  )
}
