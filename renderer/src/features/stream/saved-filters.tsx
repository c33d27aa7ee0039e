import { Bell, BellRing, Pencil, Trash2 } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SavedFilter } from '#contract/settings.ts'
import { Button } from '@/shared/components/button.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { PopoverPanel } from '@/shared/components/popover-panel.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { api } from '@/shared/live/api.ts'
import { filterHistory } from '@/shared/live/remembered.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { removed } from '@/shared/live/undo.ts'
import { askForNotices, type NoticePermission, noticePermission } from '@/shared/platform/web.ts'
import { RenameForm, SaveForm } from './saved-filter-forms.tsx'
import styles from './saved-filters.module.css'
import { SavedTrigger } from './triggers.tsx'

/** So many of the filters used last are shown here; the field itself recalls all of them. */
const MOST_RECENT = 12

/** Why a browser shows no notifications although a filter asks for them. */
function Permission({
  permission,
  onAsked,
}: {
  readonly permission: NoticePermission
  readonly onAsked: (permission: NoticePermission) => void
}) {
  const { t } = useTranslation('filters')
  if (permission !== 'default' && permission !== 'denied') return null
  return (
    <p className="mx-8 my-4 text-fg-2 text-s">
      {t(permission === 'default' ? 'saved.ask' : 'saved.denied')}{' '}
      {permission === 'default' ? (
        <Button small onClick={() => void askForNotices().then(onAsked)}>
          {t('saved.allow')}
        </Button>
      ) : null}
    </p>
  )
}

/** Filters with names, kept by the host, and those used last in this window. */
export function SavedFilters({ defaultOpen }: { readonly defaultOpen: boolean }) {
  const { t } = useTranslation('filters')
  const [open, setOpen] = useState(defaultOpen)
  const { text, problem, set } = useFilter()
  const receive = useSettings((s) => s.receive)
  const saved = useSettings((s) => s.settings?.savedFilters) ?? []
  const native = useStatus((s) => s.info?.capabilities.nativeWindow ?? true)
  const [permission, setPermission] = useState(() => noticePermission(native))
  const [renaming, setRenaming] = useState<string | null>(null)
  const filter = text.trim()
  const recent = open
    ? filterHistory()
        .filter((one) => !saved.some((known) => known.filter === one))
        .slice(0, MOST_RECENT)
    : []
  const use = (chosen: string) => {
    set(chosen)
    setOpen(false)
  }
  // A refusal means that it is gone already: the host's settings say so by themselves.
  const remove = async (one: SavedFilter) => {
    const settings = await api.call('filters.remove', { name: one.name }).catch(() => null)
    if (!settings) return
    receive(settings)
    await removed('filter', { name: one.name }, async () => receive(await api.call('filters.save', one)))
  }
  const notify = async (one: SavedFilter) => {
    const on = !one.notify
    // Only on this press: browsers refuse a question without one, and it annoys users.
    if (on && permission === 'default') setPermission(await askForNotices())
    const settings = await api.call('filters.save', { ...one, notify: on }).catch(() => null)
    if (settings) receive(settings)
  }
  // The line may stand elsewhere now: its button is found by the name.
  const stopRenaming = (name: string) => {
    setRenaming(null)
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-rename="${CSS.escape(name)}"]`)?.focus(),
    )
  }
  const savable = filter !== '' && problem === null && !saved.some((known) => known.filter === filter)
  return (
    <Popover.Root
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        setRenaming(null)
      }}
    >
      <Popover.Trigger asChild>
        <SavedTrigger />
      </Popover.Trigger>
      <PopoverPanel
        className={styles.menu}
        label={t('saved.title')}
        onEscape={(event) => {
          if (renaming === null) return
          event.preventDefault()
          stopRenaming(renaming)
        }}
      >
        {savable ? <SaveForm filter={filter} saved={saved} onSaved={() => setOpen(false)} /> : null}
        <div className="px-6 pt-4 pb-8 overflow-y-auto [&_ul]:m-0 [&_ul]:p-0 [&_ul]:list-none">
          <h2 className="mx-8 mt-8 mb-4 text-fg-2 text-xs font-semibold">{t('saved.heading')}</h2>
          {saved.length === 0 ? <p className="mx-8 my-4 text-fg-2 text-s">{t('saved.none')}</p> : null}
          <ul>
            {saved.map((one) =>
              one.name === renaming ? (
                <li key={one.name}>
                  <RenameForm one={one} saved={saved} onDone={stopRenaming} />
                </li>
              ) : (
                <li
                  key={one.name}
                  className="flex items-center gap-4 rounded-5 hover:bg-hover focus-within:bg-hover"
                >
                  <button type="button" className={styles.use} onClick={() => use(one.filter)}>
                    <b>{one.name}</b>
                    <code>{one.filter}</code>
                  </button>
                  <IconButton
                    small
                    label={t('saved.notify', { name: one.name })}
                    icon={one.notify ? <BellRing /> : <Bell />}
                    pressed={one.notify ?? false}
                    onClick={() => void notify(one)}
                  />
                  <IconButton
                    small
                    data-rename={one.name}
                    label={t('saved.rename', { name: one.name })}
                    icon={<Pencil />}
                    onClick={() => setRenaming(one.name)}
                  />
                  <IconButton
                    small
                    label={t('saved.remove', { name: one.name })}
                    icon={<Trash2 />}
                    onClick={() => void remove(one)}
                  />
                </li>
              ),
            )}
          </ul>
          {saved.some((one) => one.notify) ? (
            <Permission permission={permission} onAsked={setPermission} />
          ) : null}
          {recent.length > 0 ? (
            <h2 className="mx-8 mt-8 mb-4 text-fg-2 text-xs font-semibold">{t('saved.recent')}</h2>
          ) : null}
          <ul>
            {recent.map((one) => (
              <li
                key={one}
                className="flex items-center gap-4 rounded-5 hover:bg-hover focus-within:bg-hover"
              >
                <button type="button" className={styles.use} onClick={() => use(one)}>
                  <code>{one}</code>
                </button>
              </li>
            ))}
          </ul>
        </div>
      </PopoverPanel>
    </Popover.Root>
  )
}
