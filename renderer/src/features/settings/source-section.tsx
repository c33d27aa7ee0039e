import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Result } from '#contract/commands.ts'
import type { Source } from '#contract/source.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Address } from '@/shared/components/copy-button.tsx'
import { Definitions } from '@/shared/components/figures.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import type { Form } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import { systemText } from '@/shared/i18n/system-words.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { GRIDDED, Section } from './section.tsx'

interface Draft {
  readonly log: string
  readonly password: string
  readonly begin: string
  readonly day: string
}

const sourceForm = (log: string): Form<'source.follow', Draft> => ({
  command: 'source.follow',
  first: { log, password: '', begin: 'newest', day: new Date().toISOString().slice(0, 10) },
  params: ({ log, password, begin, day }) => ({
    log,
    ...(password === '' ? {} : { password }),
    from: begin === 'day' ? day : begin,
  }),
  places: () => ({ from: ['day', 'day'] }),
})

/** Where the deliveries of the data folder come from: this machine's receiver, or a shared log. */
export function SourceSection() {
  const { t } = useTranslation('settings')
  const [changed, setChanged] = useState<Source | null>(null)
  const { data } = useAnswer('source', () => api.call('source.get', {}))
  const source = changed ?? data
  return (
    <Section name="source" title={t('source.title')} text={t('source.text')}>
      {source ? <SourceState source={source} /> : null}
      {source && !source.restart && (source.mayFollow || source.log !== null) ? (
        <SourceForm source={source} onChanged={setChanged} />
      ) : null}
      {source?.log === null && !source.mayFollow ? (
        <p className="text-fg-2 text-s">{t('source.notEmpty')}</p>
      ) : null}
    </Section>
  )
}

function SourceState({ source }: { readonly source: Source }) {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const { log, from, reason, behind, restart } = source
  if (log === null) return <p className="text-s">{t('source.own')}</p>
  return (
    <>
      {restart ? (
        <Banner tone="warning" inset title={t('source.restart')}>
          {t('source.restartText')}
        </Banner>
      ) : null}
      {reason === null ? null : <Away reason={reason} />}
      <Definitions
        of={[
          [t('source.log'), <Address key="log" text={log} label={t('source.copy')} />],
          from !== null && [
            t('source.begin'),
            from === 'newest' || from === 'oldest' ? t(`source.beginValues.${from}`) : from,
          ],
          behind !== null && [
            t('source.behind'),
            t('source.records', { count: behind, n: format.number(behind) }),
          ],
          reason === null && [t('source.receivers'), <Receivers key="receivers" {...source} />],
        ]}
      />
    </>
  )
}

/** What the system's reason begins with when it is that of the title. */
const AWAY = /^The shared log cannot be reached[:.] ?/

function Away({ reason }: { readonly reason: string }) {
  const { t } = useTranslation(['settings', 'incident'])
  const language = useLanguage()
  return (
    <Banner tone="error" inset title={t('source.away')}>
      {t('incident:reason', { reason: systemText(reason.replace(AWAY, ''), language) })}
    </Banner>
  )
}

function Receivers({ replicated, receivers }: Result<'source.test'>) {
  const { t } = useTranslation('settings')
  return (
    <>
      {receivers.length === 0 ? <p>{t('source.none')}</p> : null}
      <ul>
        {receivers.map(({ name, address, up, singleCopies, outdated, seenAt }) => (
          <li key={`${name} ${seenAt}`}>
            {name} · {up ? address : t('source.down')}
            {singleCopies > 0 ? ` · ${t('source.singles', { count: singleCopies })}` : ''}
            {outdated ? ` · ${t('source.outdated')}` : ''}
          </li>
        ))}
      </ul>
      <p className="text-fg-2">{t(replicated ? 'source.replicated' : 'source.single')}</p>
    </>
  )
}

function SourceForm(props: { readonly source: Source; readonly onChanged: (source: Source) => void }) {
  const { t } = useTranslation('settings')
  const { log } = props.source
  const test = useAction()
  const [tested, setTested] = useState<Result<'source.test'> | null>(null)
  const { bind, fields, dialog, draft, params, check } = useForm({
    form: () => sourceForm(log ?? ''),
    texts: ['settings', 'source'],
    look: () => ({
      password: { type: 'password', autoComplete: 'off' },
      begin: { select: false },
    }),
    onSaved: props.onChanged,
  })
  const refusal = test.refusal ?? dialog.refusal
  const onTest = () =>
    void test.run(async () => {
      setTested(null)
      if (!check(['log', 'password']) || !params) return
      const { from: _, ...place } = params
      setTested(await api.call('source.test', place))
    })
  return (
    <form {...bind} className={`grid grid-cols-1 justify-items-start gap-12 ${GRIDDED} [&>*]:max-w-full`}>
      <h3 className="heading-m">{t(log === null ? 'source.follow' : 'source.move')}</h3>
      <div className="grid w-full gap-12">
        {fields('log', 'password')}
        {log === null ? fields('begin') : null}
        {log === null && draft.begin === 'day' ? fields('day') : null}
      </div>
      {refusal && AWAY.test(refusal.message) ? (
        <Away reason={refusal.message} />
      ) : (
        <Refused refusal={refusal} />
      )}
      {tested ? (
        <Banner tone="done" inset title={t('source.tested')}>
          <Receivers {...tested} />
        </Banner>
      ) : null}
      <div className="flex gap-6">
        <Button onClick={onTest} busy={test.busy}>
          {t('source.test')}
        </Button>
        <Button type="submit" variant="primary" busy={dialog.busy}>
          {t(log === null ? 'source.save' : 'source.move')}
        </Button>
      </div>
    </form>
  )
}
