import { useTranslation } from 'react-i18next'
import type { DriftFact } from '#contract/drift.ts'
import { factWords } from '#core/drift/words.ts'
import type { Place } from '@/shared/body/protocol.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import styles from './drift-notes.module.css'

/** What one field shows first, in a quiet line beneath its value: an observation, and no finding. */
export function DriftNotes({ facts }: { readonly facts: readonly DriftFact[] }) {
  if (facts.length === 0) return null
  return facts.map((fact) => (
    <span
      key={fact.code}
      className="block mt-2 pl-7 border-l-2 border-accent text-fg-3 text-xs leading-[1.4] [&_b]:text-accent-text [&_b]:font-medium"
    >
      <FactText fact={fact} />
    </span>
  ))
}

/** All that a delivery shows first, apart from its findings. */
export function DriftSection(props: {
  readonly facts: readonly DriftFact[]
  readonly onShow?: ((place: Place) => void) | undefined
}) {
  const { facts, onShow } = props
  const { t } = useTranslation('detail')
  if (facts.length === 0) return null
  return (
    <section
      className={cx(
        styles.section,
        'mx-14 mt-14 pt-10 [&_h3]:m-0 [&_h3]:text-accent-text [&_h3]:heading-s [&_ul]:m-0 [&_ul]:p-0 [&_ul]:list-none [&_li]:px-0 [&_li]:py-6 [&_li]:border-b [&_li]:border-line-soft',
      )}
    >
      <h3>
        {t('drift.title')} <small>{t('drift.apart')}</small>
      </h3>
      <ul>
        {facts.map((fact) => (
          <li key={`${fact.code}${fact.pointer}`}>
            <p>
              <FactText fact={fact} />
            </p>
            <p>
              <Captured text={fact.pointer} mono most={300} />
              {onShow && fact.code !== 'gone' ? (
                <button type="button" onClick={() => onShow({ pointer: fact.pointer })}>
                  {t('showInRaw')}
                </button>
              ) : null}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function FactText({ fact }: { readonly fact: DriftFact }) {
  const { t } = useTranslation('detail')
  const format = useFormat()
  const language = useLanguage()
  const { seen, since } = fact
  return (
    <>
      <b>{factWords(fact, language)}</b>{' '}
      {t('drift.seen', { count: seen, formatted: format.number(seen), when: format.moment(since) })}
    </>
  )
}
