import { STATUSES } from '#catalog/service.ts'
import { text as both, type Language } from '#catalog/text.ts'
import type { DocumentFact, DocumentStep } from '#contract/documents.ts'
import { amountText } from '#core/json/money.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Tag } from '@/shared/components/tag.tsx'
import { list } from '@/shared/deliveries/list.ts'
import { useLanguage, useTexts } from '@/shared/i18n/format.ts'
import { useAnswer, useGathered } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'

/** Red and green mean wrong and right; a status that the specification does not name has no colour. */
const STATUS_INK: ReadonlyMap<number, string> = new Map([
  [5, 'text-valid'],
  [6, 'text-invalid'],
  [7, 'text-accent-text'],
  [8, 'text-warning'],
])

/** Names where there is little room. */
const SHORT_STATUSES: typeof STATUSES = new Map([
  [5, both('accepted', 'aceptado')],
  [6, both('rejected', 'rechazado')],
  [7, both('evaluating', 'en evaluación')],
  [8, both('conditional', 'condicional')],
])

export function statusText(id: number, language: Language, names = STATUSES): string {
  const name = names.get(id)?.[language]
  return name === undefined ? String(id) : `${id} · ${name}`
}

/** A number without a name needs its field's. @param as `short` has a shorter name, `id` none; the tooltip has the whole one */
export function StatusMark(props: { readonly id: number; readonly as?: 'name' | 'short' | 'id' }) {
  const { id, as = 'name' } = props
  const language = useLanguage()
  const text = STATUSES.has(id) ? statusText(id, language) : `StatusId ${id}`
  return (
    <span className={cx('min-w-0 truncate', STATUS_INK.get(id))} title={text}>
      {as === 'id' ? id : as === 'short' ? statusText(id, language, SHORT_STATUSES) : text}
    </span>
  )
}

export function GapTag({ gap }: Pick<DocumentStep, 'gap'>) {
  const { t } = useTexts('documents')
  if (!gap) return null
  return (
    <Tag tone="warning" title={t(`gapHint.${gap}`)}>
      {t(`gaps.${gap}`)}
    </Tag>
  )
}

export function StepChanges({ changed }: Pick<DocumentStep, 'changed'>) {
  const { t, format } = useTexts('documents')
  const shownAs = (fact: DocumentFact, value: string): string => {
    if (fact === 'statusId') return statusText(Number(value), format.language)
    if (fact === 'issuedAt') return format.day(Number(value))
    return fact === 'total' ? amountText(value, format.language) : value
  }
  if (changed.length === 0) return null
  return (
    <dl
      className={cx(
        'grid grid-cols-[minmax(74px,max-content)_minmax(0,1fr)] gap-x-8 gap-y-2 mt-6 mb-4 px-10 py-6 border border-line rounded-6 bg-bg text-s',
        '[&>div]:contents [&_dt]:text-fg-3',
        '[&_dd]:font-code [&_dd]:wrap-anywhere [&_dd]:select-text [&_del]:text-fg-3',
        '[&_ins]:text-fg [&_ins]:no-underline [&_small]:ml-8 [&_small]:text-fg-3 [&_small]:font-ui',
      )}
    >
      {changed.map(({ fact, before, after }) => (
        <div key={fact}>
          <dt>{t(`fact.${fact}`)}</dt>
          <dd>
            {before === null ? null : (
              <>
                <del>
                  <Captured text={shownAs(fact, before)} most={120} />
                </del>{' '}
                <span aria-hidden="true">→</span>{' '}
              </>
            )}
            <ins>
              <Captured text={shownAs(fact, after)} most={120} />
            </ins>
            {before === null ? <small>{t('life.first')}</small> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function NoCreated() {
  const { t } = useTexts('documents')
  return (
    <div
      className={cx(
        'mb-14 px-12 py-9 border border-dashed border-warning rounded-6 bg-warning-weak text-s',
        '[&_b]:text-warning [&_b]:font-semibold [&_p]:mx-0 [&_p]:mt-2 [&_p]:mb-7 [&_p]:text-fg-2',
      )}
    >
      <b>{t('life.missing')}</b>
      <p>{t('life.missingText')}</p>
      <Button small onClick={() => useRoute.getState().go('reconcile')}>
        {t('life.reconcile')}
      </Button>
    </div>
  )
}

const RENEW_MS = 1_500

/** The life of a document, read again while deliveries arrive. */
export function useLife(key: string) {
  const { data, refusal, renew } = useAnswer(key, async () => ({
    life: await api.call('documents.get', { key }),
  }))
  useGathered(list.subscribe, RENEW_MS, renew)
  // Without a life no delivery of the document is stored.
  return { life: data?.life ?? null, absent: data?.life === null, refusal }
}
