import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { kindSpec } from '#catalog/kinds.ts'
import type { SandboxLogEntry } from '#contract/sandbox.ts'
import { money } from '#core/json/money.ts'
import { Captured, Code, type CodeProps } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Definitions } from '@/shared/components/figures.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { GroupDot } from '@/shared/components/tag.tsx'
import { StatusMark } from '@/shared/documents/step-facts.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { Outcome, useSandboxText } from './run-result.tsx'

/** Limit of rendered lines; a copy contains all. */
const MOST_LINES = 600
const LONGEST_LINE = 20_000

export function LogEntry({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { t } = useTexts(['sandbox', 'common'])
  const { data: entry, refusal } = useAnswer(`entry ${id}`, () => api.call('sandbox.log-entry', { id }))
  return (
    <aside
      className={cx(
        'grid grid-rows-[auto_minmax(0,1fr)] grid-cols-1 min-w-0 min-h-0 bg-panel border-l border-line',
        'max-[960px]:border-t max-[960px]:border-l-0',
      )}
      aria-label={t('log.detail')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <header className="flex items-center justify-between gap-8 pt-9 pr-8 pb-7 pl-14">
        <h2 className="flex items-center gap-8 min-w-0 heading-l wrap-anywhere">
          <GroupDot group={(entry && kindSpec(entry.kind)?.group) ?? null} />
          {entry?.kind ?? t('log.detail')}
        </h2>
        <IconButton label={t('log.close')} small icon={<X />} onClick={onClose} />
      </header>
      <ScrollRegion
        className="grid content-start grid-cols-1 gap-8 overflow-y-auto px-14 pb-24 outline-none focus-visible:focus-inset"
        label={t('log.detail')}
      >
        <Refused refusal={refusal} />
        {entry ? <Inside entry={entry} /> : refusal ? null : <Loading className="h-120" />}
      </ScrollRegion>
    </aside>
  )
}

function Inside({ entry }: { readonly entry: SandboxLogEntry }) {
  const { t, format } = useTexts('sandbox')
  const said = useSandboxText()
  const { request, answer, document, statusId, supersededBy, subject } = entry
  const own = subject === entry.kind ? null : subject
  return (
    <>
      <div className="flex flex-wrap gap-x-10 gap-y-2 text-fg-2 text-s tabular-nums">
        <Outcome entry={entry} />
      </div>
      {said.deeds(entry).map((what) => (
        <p key={what} className="text-synthetic text-s">
          {t('nav.laboratory')}: {what}
        </p>
      ))}
      {supersededBy === null ? null : <Note>{t('log.supersededBy', { seq: supersededBy })}</Note>}
      <Definitions
        of={[
          [t('log.column.time'), format.instant(Date.parse(entry.at) * 1_000)],
          statusId !== null && [t('log.column.statusId'), <StatusMark key="status" id={statusId} />],
          captured(t('log.column.document'), document?.number),
          captured(t('log.column.party'), document?.party),
          captured(
            t('log.column.total'),
            document?.total && money(document.total, document.currency, format.language),
          ),
          captured(t('log.subject'), own, true),
          [t('log.column.target'), entry.subscription.name],
          captured(
            t(request.head === null ? 'log.notSent' : 'log.address'),
            `${entry.method} ${entry.url}`,
            true,
          ),
          [t('log.cause'), said.cause(entry.cause)],
          entry.seq !== null && [t('log.event'), format.number(entry.seq)],
        ]}
      />
      <Message title={t('log.request')}>
        {request.head === null ? (
          <Note>{t('log.requestNone')}</Note>
        ) : (
          <LogText text={request.head.trimEnd()} />
        )}
        <LogText text={request.body} copyLabel={t('log.copyRequest')} />
      </Message>
      <Message title={t('log.answer')}>
        {answer ? <LogText text={answer.head.trimEnd()} /> : <Note>{t('log.answerNone')}</Note>}
        {answer?.encoding === 'base64' ? <Note>{t('log.base64')}</Note> : null}
        {answer?.body ? <LogText text={answer.body} copyLabel={t('log.copyAnswer')} /> : null}
        {answer?.body === '' ? <Note>{t('log.answerEmpty')}</Note> : null}
        {answer?.truncated ? <Note>{t('log.truncated')}</Note> : null}
      </Message>
    </>
  )
}

const captured = (name: string, text: string | null | undefined, mono = false) =>
  text ? ([name, <Captured key={name} text={text} mono={mono} />] as const) : null

function Message({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-6 pt-6">
      <h3 className="heading-m">{title}</h3>
      {children}
    </section>
  )
}

const Note = ({ children }: { readonly children: ReactNode }) => (
  <p className="text-fg-2 text-s leading-[1.45]">{children}</p>
)

const LogText = (props: Pick<CodeProps, 'text' | 'copyLabel'>) => (
  <Code wrap most={LONGEST_LINE} mostLines={MOST_LINES} {...props} />
)
