import { Pencil, Repeat2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { pluginAnswerText } from '#catalog/plugin-events.ts'
import type { Connection } from '#contract/connection.ts'
import type { PublishAnswer } from '#contract/reconcile.ts'
import { useAttemptErrorText } from '@/shared/attempts/attempt-words.ts'
import { Button } from '@/shared/components/button.tsx'
import { Code } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Refused } from '@/shared/components/refused.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { HeaderList } from '@/shared/headers/header-list.tsx'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import { type PublishedEvent, publish, usePluginDraft, usePublished, writeDraft } from './published.ts'

const MARK = 'inline-flex items-baseline gap-5 text-s tabular-nums whitespace-nowrap [&_code]:font-code'
const NOTE = 'text-fg-3 text-s leading-[1.45]'
const SENTENCE = 'mt-8 px-10 py-8 rounded bg-sunken text-s leading-[1.5] text-pretty wrap-anywhere'

export function OutcomeMark({ outcome }: { readonly outcome: PublishedEvent['outcome'] }) {
  const { t } = useTranslation('plugins')
  if (outcome.is === 'sending') return <span className={MARK}>{t('answer.sending')}</span>
  const ok = outcome.is === 'answer' && outcome.answer.ok
  return (
    <span className={cx(MARK, ok ? 'text-valid' : 'text-invalid')}>
      <b aria-hidden="true">{ok ? '✓' : '✕'}</b>
      {outcome.is === 'refused' ? (
        t('answer.notSent')
      ) : outcome.answer.status === null ? (
        t('answer.noAnswer')
      ) : (
        <>
          <code>{outcome.answer.status}</code> {t(ok ? 'answer.taken' : 'answer.refused')}
        </>
      )}
    </span>
  )
}

/** Limit of an answer's body from the host (PublishAnswer). */
const BODY_SHOWN = 20_000

export interface AnswerViewProps {
  readonly event: PublishedEvent
  /** Null after the connection was removed. */
  readonly connection: Connection | null
}

export function AnswerView({ event, connection }: AnswerViewProps) {
  const { t } = useTranslation('plugins')
  const format = useFormat()
  const sending = usePublished((s) => s.events.some(({ outcome }) => outcome.is === 'sending'))
  const { eventType, data, outcome } = event
  const load = () => {
    if (connection) usePluginDraft.setState({ connection: connection.name })
    writeDraft(eventType, data ?? '')
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-6 min-h-28">
        <span role="status">
          {outcome.is === 'sending' ? null : <OutcomeMark outcome={outcome} />}
          {outcome.is === 'answer' ? (
            <span className="text-fg-2 text-s tabular-nums wrap-anywhere">
              {' '}
              {t('answer.took', { duration: outcome.answer.tookUs })}
            </span>
          ) : null}
        </span>
        <span className="flex-1" />
        <Button small icon={<Pencil />} onClick={load}>
          {t('load')}
        </Button>
        <Button
          small
          icon={<Repeat2 />}
          disabled={connection === null || connection.pluginToken === 'none' || sending}
          onClick={() => void publish({ connection: event.connection, eventType, data })}
        >
          {t('again')}
        </Button>
      </div>
      <p className="text-fg-2 text-s tabular-nums wrap-anywhere">
        {t('answer.sent', {
          type: eventType,
          connection: event.connection,
          when: format.clock(event.at).slice(0, 8),
        })}
      </p>
      {outcome.is === 'sending' ? (
        <div className="grid place-items-center min-h-90 text-fg-3">
          <Spinner label={t('answer.sending')} />
        </div>
      ) : null}
      {outcome.is === 'refused' ? <Refused refusal={outcome.refusal} /> : null}
      {outcome.is === 'answer' ? (
        <Answer answer={outcome.answer} event={event} connection={connection} />
      ) : null}
      <h3 className="mt-14 mb-4 heading-s">{t('answer.data')}</h3>
      {data === null ? (
        <p className={NOTE}>{t('answer.noData')}</p>
      ) : (
        <Code most={BODY_SHOWN} text={data} copyLabel={t('answer.copyData')} />
      )}
    </>
  )
}

function Answer({ answer, event, connection }: AnswerViewProps & { readonly answer: PublishAnswer }) {
  const { t } = useTranslation('plugins')
  const language = useLanguage()
  const errorText = useAttemptErrorText()
  const { status, error, headers, body } = answer
  if (status === null)
    return (
      <>
        <p className={SENTENCE}>{error ? errorText(error) : t('answer.noAnswer')}</p>
        <p className={cx(NOTE, 'mt-6')}>{t('answer.unsure')}</p>
      </>
    )
  return (
    <>
      <p className={SENTENCE}>
        {
          pluginAnswerText({
            status,
            eventType: event.eventType,
            headerName: connection?.pluginHeader.name ?? 'Authorization',
            redirected: headers.some(({ name }) => name.toLowerCase() === 'location'),
          })[language]
        }
      </p>
      {error ? <p className={SENTENCE}>{t('answer.broke', { reason: errorText(error) })}</p> : null}
      <h3 className="mt-14 mb-4 heading-s">{t('answer.body')}</h3>
      {body === '' ? (
        <p className={NOTE}>{t('answer.noBody')}</p>
      ) : (
        <Code wrap most={BODY_SHOWN} text={body} copyLabel={t('answer.copyBody')} />
      )}
      {body.length >= BODY_SHOWN ? <p className={NOTE}>{t('answer.cut', { count: BODY_SHOWN })}</p> : null}
      <h3 className="mt-14 mb-4 heading-s">{t('answer.headers')}</h3>
      <div className="-mx-14">
        <HeaderList label={t('answer.headers')} headers={headers} />
      </div>
    </>
  )
}
