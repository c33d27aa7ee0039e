import type { TFunction } from 'i18next'
import { ChevronDown, FileText, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { DocumentEntry, DocumentGap, DocumentsParams } from '#contract/documents.ts'
import type { Refusal } from '#contract/errors.ts'
import { DOCUMENT_GAPS } from '#contract/values.ts'
import { parseFilter } from '#core/filter/parse.ts'
import { sentenceOf } from '#core/filter/problem-words.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Menu } from '@/shared/components/menu.tsx'
import { Unread } from '@/shared/components/refused.tsx'
import { Screen } from '@/shared/components/screen.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { list } from '@/shared/deliveries/list.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { useGathered } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { narrowed } from '@/shared/live/filter-edit.ts'
import { type PagedRows, usePagedRows } from '@/shared/live/paged-rows.ts'
import { type ScreenProps, useRoute } from '@/shared/live/route.ts'
import { DocumentsGrid } from './documents-grid.tsx'
import { LifePane } from './life-pane.tsx'

/** Debounce of typing. */
const TYPING_MS = 150
const NEWEST = { by: 'last', descending: true } as const

/** The filter in the address, so that a reload keeps it. */
const filterInHash = (): string => new URLSearchParams(location.hash.split('?')[1]).get('filter') ?? ''

export function DocumentsScreen({ section }: ScreenProps) {
  const { t, language } = useTexts(['documents', 'shell', 'common'])
  const refusalText = useRefusalText()
  const [text, setText] = useState(filterInHash)
  const [query, setQuery] = useState(text)
  const [gaps, setGaps] = useState<readonly DocumentGap[]>([])
  const [sort, setSort] = useState<DocumentsQuery['sort']>(NEWEST)
  const rows = useDocuments({ query, sort, ...(gaps.length > 0 ? { gaps } : {}) })
  const grid = useRef<HTMLDivElement>(null)
  const pane = useRef<HTMLElement>(null)
  const open = section === null ? null : decodeURIComponent(section)
  const go = (key: string | null) =>
    useRoute.getState().go('documents', ...(key === null ? [] : [encodeURIComponent(key)]))
  const close = () => {
    go(null)
    grid.current?.focus()
  }
  const parsed = parseFilter(text)
  useEffect(() => {
    if (!parseFilter(text).ok) return
    const timer = setTimeout(() => setQuery(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another document has another address
  useEffect(() => {
    const [place] = location.hash.split('?')
    // The user may be navigating to another screen.
    if (!place?.startsWith('#/documents')) return
    history.replaceState(
      null,
      '',
      query === '' ? place : `${place}?${new URLSearchParams({ filter: query })}`,
    )
  }, [query, section])
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof HTMLElement &&
        event.target.closest('input,textarea,[role="dialog"],[role="menu"]')
      if (event.key !== '/' || typing || event.defaultPrevented) return
      event.preventDefault()
      document.querySelector<HTMLInputElement>('[data-documents-filter]')?.focus()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
  const wrong = parsed.ok
    ? rows.refusal?.code === 'bad-filter'
      ? (notForDocuments(t, rows.refusal) ?? refusalText(rows.refusal))
      : null
    : t('filter.wrong', { reason: sentenceOf(parsed)[language] })
  const filtered = query !== '' || gaps.length > 0
  const clear = () => {
    setText('')
    setQuery('')
    setGaps([])
  }
  const failed = rows.refusal !== null && rows.refusal.code !== 'bad-filter'
  return (
    <Screen
      title={t('title')}
      bar={
        <>
          <TextField
            label={t('filter.label')}
            hideLabel
            mono
            type="search"
            data-documents-filter=""
            className="flex-1 min-w-120!"
            leading={<Search aria-hidden="true" />}
            placeholder={t('filter.placeholder')}
            title={t('filter.help')}
            value={text}
            {...(wrong === null ? {} : { error: wrong })}
            onChange={setText}
            onKeyDown={(event) => {
              if (event.key === 'Escape' && text !== '') setText('')
              else if (event.key === 'Escape' || event.key === 'Enter') grid.current?.focus()
              else return
              event.preventDefault()
            }}
          />
          <Menu
            align="end"
            trigger={
              <Button>
                {gaps.length > 0 ? t('gaps.chosen', { count: gaps.length }) : t('gaps.button')}
                <ChevronDown aria-hidden="true" />
              </Button>
            }
            entries={[
              {
                type: 'group',
                label: t('gaps.title'),
                entries: [
                  {
                    type: 'checkbox',
                    label: t('gaps.any'),
                    checked: gaps.length === DOCUMENT_GAPS.length,
                    onChange: (checked) => setGaps(checked ? DOCUMENT_GAPS : []),
                  },
                  ...DOCUMENT_GAPS.map((gap) => ({
                    type: 'checkbox' as const,
                    label: t(`gaps.${gap}`),
                    checked: gaps.includes(gap),
                    onChange: (checked: boolean) =>
                      setGaps(checked ? [...gaps, gap] : gaps.filter((one) => one !== gap)),
                  })),
                ],
              },
            ]}
          />
          <span role="status" className="text-fg-3 text-s tabular-nums whitespace-nowrap empty:-ml-10">
            {rows.total === null ? '' : t('count', { count: rows.total })}
          </span>
        </>
      }
    >
      {failed && rows.refusal ? (
        <div>
          <Unread refusal={rows.refusal} title={`${t('failed')}.`} onRetry={() => rows.want(0, 1)} />
        </div>
      ) : rows.total === 0 && !filtered ? (
        <EmptyState
          icon={<FileText />}
          title={t('empty.title')}
          inSession={t('empty.session')}
          actions={
            <>
              <Button onClick={() => useRoute.getState().go('stream')}>{t('empty.stream')}</Button>
              <Button onClick={() => useRoute.getState().go('sandbox')}>{t('empty.sandbox')}</Button>
            </>
          }
        >
          {t('empty.text')}
        </EmptyState>
      ) : (
        <div
          className={cx(
            'grid grid-rows-[minmax(0,1fr)] min-h-0',
            open === null
              ? 'grid-cols-1'
              : 'grid-cols-[minmax(0,1fr)_minmax(340px,34%)] max-[900px]:grid-rows-[minmax(120px,40%)_minmax(0,1fr)] max-[900px]:grid-cols-1',
          )}
        >
          {rows.total === 0 ? (
            <EmptyState
              icon={<Search />}
              title={t('none')}
              actions={<Button onClick={clear}>{t('noneClear')}</Button>}
            />
          ) : (
            <DocumentsGrid
              rows={rows}
              sorted={sort}
              onSort={setSort}
              open={open}
              onOpen={go}
              onClose={close}
              onEnter={() => pane.current?.focus()}
              onNarrow={(term) => setText(narrowed(text, term))}
              ref={grid}
            />
          )}
          {open === null ? null : <LifePane documentKey={open} onClose={close} ref={pane} />}
        </div>
      )}
    </Screen>
  )
}

/** Refresh interval of visible rows while deliveries arrive. */
const RENEW_MS = 1_500
/** The host keeps an order for three seconds while documents change, so the last change needs a later read. */
const LAST_MS = 3_500

export type DocumentsQuery = Pick<DocumentsParams, 'query' | 'gaps' | 'sort'>
export type DocumentRows = PagedRows<DocumentEntry>

export function useDocuments(query: DocumentsQuery): DocumentRows {
  const [beat, setBeat] = useState(0)
  // Any delivery may change any document.
  useGathered(list.subscribe, RENEW_MS, () => setBeat((now) => now + 1), LAST_MS)
  return usePagedRows<DocumentEntry>({
    scope: JSON.stringify(query),
    beat,
    page: 100,
    async read(from, limit) {
      const { entries, total } = await api.call('documents.page', { ...query, from, limit })
      return { rows: entries, total }
    },
  })
}

const OWN = ['is', 'received'] as const
const NAMED = ['regex', 'json', 'header'] as const

/** Why a valid filter does not apply to documents, in the window's language; null for another refusal. */
export function notForDocuments(t: TFunction<['documents', 'shell']>, refusal: Refusal): string | null {
  const { field, problem, fields, marks } = refusal.details ?? {}
  if (problem !== 'not-for-documents') return null
  const said = { fields: fields ?? '', marks: marks ?? '' }
  const own = OWN.find((known) => known === field)
  if (own) return t(`filter.refused.${own}`, said)
  const named = NAMED.find((known) => known === field)
  const name = named ? t(`filter.names.${named}`) : `${field}:`
  return t('filter.refused.single', { ...said, name })
}
