import i18next from 'i18next'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import {
  ACTION_TEXTS,
  type Action,
  type ActionGroup,
  type Hindrance,
  type Keys,
  keysOf,
  wordsOf,
} from '@/shared/actions/action.ts'
import { ActionKeys, Kbd } from '@/shared/components/action-keys.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { Options } from '@/shared/components/choice-list.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { takeEarly } from '@/shared/live/layers.ts'
import { firstTexts, remember, remembered } from '@/shared/live/remembered.ts'
import { useStatus } from '@/shared/live/status.ts'
import { actionsHere, isAlone } from './actions.ts'
import {
  type Findable,
  found,
  THINGS,
  type Thing,
  type ThingGroup,
  thingsHere,
  useStoredThings,
} from './find-things.ts'
import { perform } from './perform.ts'

/** Fixed height for any number of lines, so that the field does not move while the user types. */
const RESULTS = 'h-[min(400px,calc(100vh-240px))] min-h-120 mt-8 -mx-10 overflow-y-auto overscroll-contain'
const RECENT = 'recent-actions'
const RECENT_KEPT = 6

/** An action with its words, and whether it is available now. */
interface Offer extends Findable {
  readonly id: string
  readonly action: Action
  readonly detail?: string
  readonly keys: Keys
  readonly hindrance: Hindrance | null
}
interface Part {
  readonly name: ActionGroup | ThingGroup | 'recent' | 'found' | 'exact'
  readonly offers: readonly Offer[]
}

/** Words of both languages match: a user may read documentation in one and use the window in the other. */
function offersIn(language: 'en' | 'es'): readonly Offer[] {
  const here = i18next.getFixedT(language, ACTION_TEXTS)
  const there = i18next.getFixedT(language === 'en' ? 'es' : 'en', ACTION_TEXTS)
  const native = useStatus.getState().info?.capabilities.nativeWindow ?? false
  const alone = isAlone()
  return actionsHere().flatMap((action) => {
    const { id, group, title, also, when, keyOnly } = action
    if (keyOnly) return []
    const others = [
      wordsOf(title, there),
      ...(also ? [wordsOf(also, here), wordsOf(also, there)] : []),
      here(`groups.${group}`),
      there(`groups.${group}`),
    ]
    return {
      id,
      action,
      keys: keysOf(action, { native, alone }),
      hindrance: when?.() ?? null,
      label: wordsOf(title, here),
      also: others.join(' '),
    }
  })
}

const isThing = (name: Part['name']): name is ThingGroup => THINGS.some((one) => one === name)
const offerOf = (thing: Thing): Offer => ({ ...thing, keys: [], hindrance: null })
/** Lines per kind of thing; more typing narrows the rest. */
const MOST_THINGS = 6

/** Exact matches first, then actions, then named things, then stored documents and deliveries. */
const foundParts = (offers: readonly Offer[], things: readonly Thing[]): readonly Part[] => [
  { name: 'exact', offers: things.filter(({ exact }) => exact).map(offerOf) },
  { name: 'found', offers },
  ...THINGS.map((name) => ({
    name,
    offers: things
      .filter(({ group, exact }) => group === name && !exact)
      .slice(0, MOST_THINGS)
      .map(offerOf),
  })),
]

function partsOf(offers: readonly Offer[], recent: readonly string[]): readonly Part[] {
  const used = recent.flatMap((id) => offers.find((offer) => offer.id === id) ?? [])
  const groups = [...new Set(offers.map(({ action }) => action.group))]
  return [
    { name: 'recent', offers: used },
    ...groups.map((name) => ({
      name,
      offers: offers.filter((offer) => offer.action.group === name && !used.includes(offer)),
    })),
  ]
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { t, language } = useTexts('actions')
  const id = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const [recent] = useState(() => remembered(RECENT, firstTexts(RECENT_KEPT), []))
  const offers = useMemo(() => offersIn(language), [language])
  const typed = text.trim() !== ''
  const known = useMemo(() => thingsHere(language), [language])
  const { things, searching, refusal } = useStoredThings(text)
  const refusalText = useRefusalText()
  const parts = useMemo(() => {
    const all = typed
      ? foundParts(found(text, offers, recent), [...found(text, known, []), ...things])
      : partsOf(offers, recent)
    return all.filter((part) => part.offers.length > 0)
  }, [text, typed, offers, known, things, recent])
  const flat = parts.flatMap(({ offers }) => offers)
  const chosen = flat[active]

  const [early, setEarly] = useState<readonly string[]>([])
  // After the dialog has focused the field, which selects its text.
  useEffect(() => setEarly(takeEarly()), [])
  useEffect(() => {
    const [key, ...rest] = early
    if (key === undefined) return
    setEarly(rest)
    if (key.length === 1) setText((now) => now + key)
    else if (key === 'Backspace') setText((now) => now.slice(0, -1))
    else press(key)
  })

  const take = (offer: Offer | undefined) => {
    if (!offer || offer.hindrance) return
    if (offers.includes(offer))
      remember(RECENT, [offer.id, ...recent.filter((other) => other !== offer.id)].slice(0, RECENT_KEPT))
    onClose()
    // The focus returns first: the action may move it, or open a dialog that restores it later.
    requestAnimationFrame(() => setTimeout(() => perform(offer.action)))
  }
  /** @returns whether the palette handled the key */
  const press = (key: string): boolean => {
    const last = flat.length - 1
    const to: Readonly<Record<string, number>> = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      PageDown: Math.min(last, active + 8),
      PageUp: Math.max(0, active - 8),
    }
    const next = to[key]
    if (next !== undefined) setActive(Math.max(0, next))
    else if (key === 'Enter') take(chosen)
    // The dialog leaves Esc to an open list inside; here the list is the dialog's content.
    else if (key === 'Escape') onClose()
    else return false
    return true
  }
  const keyed = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!press(event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const heading = (name: Part['name']) =>
    name === 'found'
      ? t('palette.actions')
      : name === 'recent' || name === 'exact'
        ? t(`palette.${name}`)
        : isThing(name)
          ? t(`things.${name}`)
          : t(`groups.${name}`)
  const groups = parts.map(({ name, offers }) => ({
    id: name,
    name: heading(name),
    options: offers.map(({ id: value, label, detail, hindrance, keys }) => ({
      value,
      disabled: hindrance !== null,
      content: (
        <>
          <span className={cx('flex-1 min-w-[40%] truncate', hindrance !== null && 'text-fg-3')}>
            {label}
          </span>
          {detail ? (
            <span className="min-w-0 text-fg-2 text-s truncate">
              <Captured text={detail} most={120} />
            </span>
          ) : null}
          {hindrance === null ? (
            <span className="inline-flex gap-8 empty:hidden">
              <ActionKeys keys={keys} />
            </span>
          ) : (
            <span className="text-fg-2 text-s">{t(`reason.${hindrance}`)}</span>
          )}
        </>
      ),
    })),
  }))
  return (
    <Dialog onClose={onClose} title={t('palette.title')} width={600}>
      <input
        type="text"
        role="combobox"
        className={cx(
          'w-full h-36 px-12 py-0 border border-line-strong rounded bg-bg text-fg font-normal font-ui',
          'text-l leading-none',
          'placeholder:text-fg-3 focus:border-accent focus:outline-2',
          'focus:outline-[color-mix(in_srgb,var(--accent)_35%,transparent)] focus:outline-offset-0',
        )}
        aria-label={t('palette.label')}
        aria-expanded={flat.length > 0}
        aria-controls={flat.length > 0 ? `${id}-list` : undefined}
        aria-autocomplete="list"
        aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={t('palette.placeholder')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
        }}
        onKeyDown={keyed}
      />
      {flat.length === 0 ? (
        <div className={cx(RESULTS, 'grid content-start gap-4 px-10 py-24 text-fg-2 text-m text-center')}>
          <p>{t(searching ? 'palette.searching' : 'palette.none')}</p>
          {searching ? null : <p className="text-fg-3 text-s">{t('palette.noneHint')}</p>}
        </div>
      ) : (
        <div role="listbox" id={`${id}-list`} className={RESULTS} aria-label={t('palette.actions')}>
          <Options
            id={id}
            label={t('palette.actions')}
            groups={groups}
            selected={chosen?.id ?? null}
            onPoint={(offer) => setActive(flat.findIndex((one) => one.id === offer))}
            onTake={(offer) => take(flat.find((one) => one.id === offer))}
            className="gap-16 min-h-30 text-m"
          />
        </div>
      )}
      {refusal ? (
        <p role="alert" className="pt-10 text-invalid text-s">
          {t('palette.incomplete', { reason: refusalText(refusal) })}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center justify-between gap-x-16 gap-y-4 pt-10 text-fg-3 text-xs">
        <span role="status">{t('palette.count', { count: flat.length })}</span>
        <span className="inline-flex items-center gap-4" aria-hidden="true">
          <Kbd>↑</Kbd>
          <Kbd>↓</Kbd> {t('palette.choose')} <Kbd>Enter</Kbd> {t('palette.run')} <Kbd>Esc</Kbd>{' '}
          {t('palette.close')}
        </span>
      </div>
    </Dialog>
  )
}
