import { Send } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import { PLUGIN_EVENT_NAMES, PLUGIN_ROUTE_RULES } from '#catalog/plugin-events.ts'
import { PLUGIN_EVENT_TYPES, type PluginEventType } from '#catalog/service.ts'
import type { Connection } from '#contract/connection.ts'
import type { Refusal } from '#contract/errors.ts'
import type { PublishAnswer } from '#contract/reconcile.ts'
import { placeFinder, scanJson } from '#core/json/scan.ts'
import { codeOf, OBJECT } from '#core/json/tree.ts'
import { MOD } from '@/shared/actions/action.ts'
import { foundAt, WrongPlace } from '@/shared/components/body-notes.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { JsonEditor, useJsonPane } from '@/shared/components/json-editor.tsx'
import { useLanguage } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

/** Checks an event's data before it is published (Endpoints, plugins/events: an optional object). White space only means no data. */
function checkData(text: string) {
  if (text.trim() === '') return { is: 'none' } as const
  const scanned = scanJson(text)
  if ('problem' in scanned)
    return { is: 'no-json', reason: scanned.problem, ...foundAt(text, scanned.offset) } as const
  if (codeOf(scanned, 0) !== OBJECT)
    return { is: 'no-object', place: placeFinder(text)(text.length - text.trimStart().length) } as const
  return { is: 'object', bytes: new TextEncoder().encode(text).length } as const
}

function KindChoice() {
  const { t } = useTranslation('plugins')
  const language = useLanguage()
  const eventType = usePluginDraft((s) => s.eventType)
  return (
    <div className="grid gap-8 px-14 py-12 border-b border-line bg-panel">
      <RadioGroup.Root
        className="grid grid-cols-[repeat(auto-fit,minmax(190px,1fr))] gap-8"
        aria-label={t('event')}
        orientation="horizontal"
        value={eventType}
        onValueChange={(next) => {
          const chosen = PLUGIN_EVENT_TYPES.find((type) => type === next)
          if (chosen) usePluginDraft.setState({ eventType: chosen })
        }}
      >
        {PLUGIN_EVENT_TYPES.map((type) => (
          <RadioGroup.Item
            key={type}
            value={type}
            className={cx(
              'grid gap-2 px-10 py-8 border border-line-strong rounded bg-bg text-fg text-left',
              'hover:border-fg-3 data-[state=checked]:border-accent data-[state=checked]:bg-selected',
              'data-[state=checked]:shadow-[inset_0_0_0_1px_var(--accent)] focus-visible:outline-offset-2',
            )}
          >
            <code className="overflow-hidden code-s-medium [font-variant-ligatures:none] text-ellipsis">
              {type}
            </code>
            <span className="text-fg-2 text-s leading-[1.35]">{PLUGIN_EVENT_NAMES[type][language]}</span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      <details
        className="text-fg-2 text-s leading-[1.45] [&_summary]:text-fg-2 [&_summary]:font-medium [&_summary]:cursor-default"
        open
      >
        <summary>{t('documented')}</summary>
        <ul className="mt-4 pl-18 list-disc text-pretty">
          {PLUGIN_ROUTE_RULES.map((rule) => (
            <li key={rule.en}>{rule[language]}</li>
          ))}
        </ul>
      </details>
    </div>
  )
}

interface DataNotesProps {
  readonly check: ReturnType<typeof checkData>
  /** Moves to a position in the data, 1-based. */
  readonly onPlace: (line: number, column: number) => void
}

function DataNotes({ check, onPlace }: DataNotesProps) {
  const { t } = useTranslation(['plugins', 'sandbox'])
  if (check.is === 'none') return <p className="text-fg-3 text-s leading-[1.45]">{t('without')}</p>
  if (check.is === 'object')
    return <p className="text-fg-3 text-s leading-[1.45]">{t('size', { size: check.bytes })}</p>
  return (
    <WrongPlace place={check.place} onPlace={onPlace}>
      {check.is === 'no-object'
        ? t('noObject')
        : t(`sandbox:emit.notJson.${check.reason}`, { found: check.found })}
    </WrongPlace>
  )
}

export function Compose({ connection }: { readonly connection: Connection }) {
  const { t } = useTranslation('plugins')
  const { eventType, texts } = usePluginDraft()
  const sending = usePublished((s) => s.events.some(({ outcome }) => outcome.is === 'sending'))
  const text = texts[eventType] ?? ''
  const pane = useJsonPane(text, checkData, ({ is }) => {
    if (connection.pluginToken !== 'none' && !sending)
      void publish({ connection: connection.name, eventType, data: is === 'none' ? null : text })
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut works wherever the focus is in this part
    <div
      className="grid grid-rows-[auto_auto_minmax(96px,1fr)_auto] grid-cols-1 min-w-0 min-h-0"
      onKeyDown={pane.onKeyDown}
    >
      <KindChoice />
      <div
        className={cx(
          'flex flex-wrap items-baseline gap-x-10 gap-y-0 px-14 pt-8 pb-4 bg-bg',
          '[&_h2]:m-0 [&_h2]:heading-s [&_p]:text-fg-3 [&_p]:text-s [&_p]:leading-[1.4]',
        )}
      >
        <h2>{t('dataHead')}</h2>
        <p>{t('dataHint')}</p>
      </div>
      <JsonEditor
        {...pane.editor}
        label={t('data', { type: eventType })}
        onChange={(next) => writeDraft(eventType, next)}
      />
      <footer className="flex flex-wrap items-center gap-x-14 gap-y-8 px-14 py-10 border-t border-line bg-panel">
        <div id={pane.notes} className="flex-1 min-w-200">
          <DataNotes check={pane.check} onPlace={pane.goTo} />
        </div>
        <Button
          variant="primary"
          icon={<Send />}
          kbd={`${MOD} ↵`}
          busy={sending}
          disabled={connection.pluginToken === 'none' || pane.wrong}
          onClick={pane.submit}
        >
          {t('publish')}
        </Button>
      </footer>
    </div>
  )
}

interface PluginDraft {
  /** Name of a connection; null: the first one with a plugin token. */
  readonly connection: string | null
  readonly eventType: PluginEventType
  /** Edited data by event, so that switching between events loses no edit. */
  readonly texts: Readonly<Partial<Record<PluginEventType, string>>>
}

/** The draft, kept while other screens are open. */
export const usePluginDraft = create<PluginDraft>()(() => ({
  connection: null,
  eventType: 'cobro.registrado',
  texts: {},
}))
export const writeDraft = (eventType: PluginEventType, text: string): void =>
  usePluginDraft.setState(({ texts }) => ({ eventType, texts: { ...texts, [eventType]: text } }))

/** Limit of kept events, because each holds its whole data. */
export const MOST_KEPT = 100

interface PluginEvent {
  readonly connection: string
  readonly eventType: PluginEventType
  readonly data: string | null
}

export interface PublishedEvent extends PluginEvent {
  readonly id: number
  /** Microseconds since the epoch. */
  readonly at: number
  readonly outcome:
    | { readonly is: 'sending' }
    | { readonly is: 'answer'; readonly answer: PublishAnswer }
    | { readonly is: 'refused'; readonly refusal: Refusal }
}

interface PublishedEvents {
  /** Newest first. */
  readonly events: readonly PublishedEvent[]
  readonly shown: number | null
}

/** Events published from this window. In memory only, because users typed their data. */
export const usePublished = create<PublishedEvents>()(() => ({ events: [], shown: null }))
const set = usePublished.setState

export const clearPublished = (): void =>
  set(({ events }) => {
    const kept = events.filter(({ outcome }) => outcome.is === 'sending')
    return { events: kept, shown: kept[0]?.id ?? null }
  })

/** Publishes an event, and keeps its answer or refusal with it. Never throws. */
export async function publish(event: PluginEvent): Promise<void> {
  const id = (usePublished.getState().events[0]?.id ?? 0) + 1
  const begun: PublishedEvent = { ...event, id, at: Date.now() * 1_000, outcome: { is: 'sending' } }
  set(({ events }) => ({ events: [begun, ...events].slice(0, MOST_KEPT), shown: id }))
  const { data, ...rest } = event
  const outcome = await api.call('plugins.publish', { ...rest, ...(data === null ? {} : { data }) }).then(
    (answer) => ({ is: 'answer', answer }) as const,
    (error: unknown) => ({ is: 'refused', refusal: refusalOf(error) }) as const,
  )
  set(({ events }) => ({ events: events.map((one) => (one.id === id ? { ...one, outcome } : one)) }))
}
