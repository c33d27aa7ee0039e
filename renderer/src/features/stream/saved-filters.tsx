import { Bell, BellRing, Pencil, Trash2 } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SavedFilter } from '#contract/settings.ts'
import { FILTER_NAME } from '#contract/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { PopoverPanel } from '@/shared/components/popover-panel.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { api } from '@/shared/live/api.ts'
import { filterHistory } from '@/shared/live/remembered.ts'
import { changeSettings, keepSettings, useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { removed } from '@/shared/live/undo.ts'
import { askForNotices, type NoticePermission, noticePermission } from '@/shared/platform/web.ts'
import { SavedTrigger } from './triggers.tsx'

/** Number of recent filters shown; the field's history has all. */
const MOST_RECENT = 12

const USE = cx(
  'flex flex-1 flex-col gap-1 min-w-0 px-8 py-5 border-0 bg-transparent text-fg text-s text-start',
  'cursor-default',
  '[&_b]:font-semibold [&_code]:max-w-full [&_code]:text-fg-2 [&_code]:text-s [&_code]:truncate',
)
const LINE = 'flex items-center gap-4 rounded-5 hover:bg-hover focus-within:bg-hover'
const HEADING = 'mx-8 mt-8 mb-4 text-fg-2 text-xs font-semibold'
const LONGEST = 60

interface NameFormProps {
  readonly filter: string
  readonly saved: readonly SavedFilter[]
  /** The saved filter to rename; it keeps its columns and notifications. */
  readonly renamed?: SavedFilter
  /** @param name new name */
  readonly onDone: (name: string) => void
}

/** Names a filter. Names are case-insensitive. */
function NameForm({ filter, saved, renamed, onDone }: NameFormProps) {
  const { t } = useTranslation('filters')
  const action = useAction()
  const [typed, setTyped] = useState(renamed?.name ?? '')
  const [wrong, setWrong] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (renamed) field.current?.select()
  }, [renamed])
  const name = typed.trim()
  const other = saved.find((one) => one !== renamed && one.name.toLowerCase() === name.toLowerCase())
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (name === renamed?.name) return onDone(name)
    if (!FILTER_NAME.test(name)) return setWrong(t('saved.badName'))
    if (renamed && other) return setWrong(t('saved.taken', { name: other.name }))
    const previous = renamed ? { previousName: renamed.name } : {}
    const saving = () => changeSettings('filters.save', { name, filter, ...previous })
    if (await action.run(saving)) onDone(name)
  }
  return (
    <form
      className={
        renamed
          ? 'flex items-start gap-6 px-8 py-4 [&>button]:mt-3'
          : 'flex flex-col items-end gap-8 px-14 py-12 border-b border-line wrap-anywhere'
      }
      onSubmit={save}
    >
      <TextField
        ref={field}
        className={renamed ? 'flex-1 min-w-0' : 'w-full'}
        label={renamed ? t('saved.newName', { name: renamed.name }) : t('saved.name')}
        hideLabel={renamed !== undefined}
        hint={renamed ? null : other ? t('saved.replaces', { filter: other.filter }) : filter}
        value={typed}
        maxLength={LONGEST}
        error={wrong ?? action.refused}
        onChange={(next) => {
          setTyped(next)
          setWrong(null)
          action.clear()
        }}
      />
      <Button small={renamed !== undefined} type="submit" variant="primary" disabled={name === ''}>
        {t('saved.save')}
      </Button>
      {renamed ? (
        <Button small kbd="Esc" onClick={() => onDone(renamed.name)}>
          {t('saved.cancel')}
        </Button>
      ) : null}
    </form>
  )
}

/** Explains why the browser shows no notifications although a filter requests them. */
function Permission(props: {
  readonly permission: NoticePermission
  readonly onAsked: (permission: NoticePermission) => void
}) {
  const { permission, onAsked } = props
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

export function SavedFilters({ defaultOpen }: { readonly defaultOpen: boolean }) {
  const { t } = useTranslation('filters')
  const [open, setOpen] = useState(defaultOpen)
  const { text, problem, set } = useFilter()
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
  // A refusal means that the filter is already removed; the settings' push updates the list.
  const remove = async (one: SavedFilter) => {
    const settings = await api.call('filters.remove', { name: one.name }).catch(() => null)
    if (!settings) return
    keepSettings(settings)
    await removed('filter', { name: one.name }, () => changeSettings('filters.save', one))
  }
  const notify = async (one: SavedFilter) => {
    const on = !one.notify
    // Only on this click: browsers refuse requests without a user action.
    if (on && permission === 'default') setPermission(await askForNotices())
    const settings = await api.call('filters.save', { ...one, notify: on }).catch(() => null)
    if (settings) keepSettings(settings)
  }
  // Renaming can move the row, so find its button by name.
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
        className="[--wide:440px] [--tall:520px]"
        label={t('saved.title')}
        onEscapeKeyDown={(event) => {
          if (renaming === null) return
          event.preventDefault()
          stopRenaming(renaming)
        }}
      >
        {savable ? <NameForm filter={filter} saved={saved} onDone={() => setOpen(false)} /> : null}
        <div className="px-6 pt-4 pb-8 overflow-y-auto [&_ul]:m-0 [&_ul]:p-0 [&_ul]:list-none">
          <h2 className={HEADING}>{t('saved.heading')}</h2>
          {saved.length === 0 ? <p className="mx-8 my-4 text-fg-2 text-s">{t('saved.none')}</p> : null}
          <ul>
            {saved.map((one) =>
              one.name === renaming ? (
                <li key={one.name}>
                  <NameForm filter={one.filter} renamed={one} saved={saved} onDone={stopRenaming} />
                </li>
              ) : (
                <li key={one.name} className={LINE}>
                  <button type="button" className={USE} onClick={() => use(one.filter)}>
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
          {recent.length > 0 ? <h2 className={HEADING}>{t('saved.recent')}</h2> : null}
          <ul>
            {recent.map((one) => (
              <li key={one} className={LINE}>
                <button type="button" className={USE} onClick={() => use(one)}>
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
