import { useTranslation } from 'react-i18next'
import type { DriftFact } from '#contract/drift.ts'
import { factWords } from '#core/drift/report.ts'
import type { Place } from '@/shared/body/protocol.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { useLanguage } from '@/shared/i18n/format.ts'

/** What a field showed for the first time, below its value: an observation, not a finding. */
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
        'mx-14 mt-14 pt-10 border-t border-dashed border-line-strong',
        '[&_li]:py-6 [&_li]:border-b [&_li]:border-line-soft',
        '[&_p]:flex [&_p]:flex-wrap [&_p]:gap-x-10 [&_p]:gap-y-2 [&_p]:text-fg-3 [&_p]:text-xs',
        '[&_p]:leading-[1.45]',
      )}
    >
      <h3 className="text-accent-text heading-s">
        {t('drift.title')} <small className="text-fg-3 text-xs font-normal">{t('drift.apart')}</small>
      </h3>
      <ul>
        {facts.map((fact) => (
          <li key={`${fact.code}${fact.pointer}`}>
            <p className="text-s! [&_b]:text-fg [&_b]:font-normal">
              <FactText fact={fact} />
            </p>
            <p>
              <Captured text={fact.pointer} mono most={300} />
              {onShow && fact.code !== 'gone' ? (
                <button
                  type="button"
                  className="px-3 py-0 border-0 rounded-3 bg-transparent text-accent-text cursor-default hover:underline"
                  onClick={() => onShow({ pointer: fact.pointer })}
                >
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
  const language = useLanguage()
  const { seen, since } = fact
  return (
    <>
      <b>{factWords(fact, language)}</b> {t('drift.seen', { count: seen, when: since })}
    </>
  )
}
