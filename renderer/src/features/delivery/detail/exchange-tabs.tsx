import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { DeliveryDetail, Finding, Header } from '#contract/delivery.ts'
import { MASKED } from '#contract/values.ts'
import { BodyBox } from '@/shared/attempts/body-box.tsx'
import { deliveryBody, type FailedBody, givenBody, isOpen, type OpenBody } from '@/shared/body/open-body.ts'
import type { BodyView } from '@/shared/body/protocol.ts'
import { RawView, type Target } from '@/shared/body/raw-view.tsx'
import { PartialNotice, useOpenBody, useWhole, type Whole } from '@/shared/body/use-whole.tsx'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Select } from '@/shared/components/select.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { decodeTarget, HeaderList } from '@/shared/headers/header-list.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'

const asText = (headers: readonly Header[]): string => headers.map((h) => `${h.name}: ${h.value}`).join('\n')

export function HeadersTab({ detail }: { readonly detail: DeliveryDetail }) {
  const { t, format } = useTexts('detail')
  const [revealed, setRevealed] = useState<DeliveryDetail | null>(null)
  const { refused, run, clear } = useAction()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another delivery hides revealed values again
  useEffect(() => {
    setRevealed(null)
    clear()
  }, [detail.id])
  const shown = revealed?.id === detail.id ? revealed : detail
  const target = decodeTarget(shown.url)
  const short = format.bytes(detail.size)
  // Below 1,000 bytes the short form is exact.
  const size = detail.size < 1000 ? short : `${short} (${format.number(detail.size)} B)`
  const secrets =
    [...detail.headers, ...detail.trailers].some((h) => h.masked) || detail.url.search(MASKED) >= 0
  const reveal = () =>
    run(async () => setRevealed(await api.call('deliveries.get', { id: detail.id, reveal: true })))
  return (
    <div className="h-full overflow-y-auto pb-12 overscroll-contain">
      <div className="flex items-center gap-6 pt-6 pr-8 pb-2 pl-14">
        <span className="flex-1 text-fg-3 text-s">{t('headers.count', { count: shown.headers.length })}</span>
        {secrets ? (
          <Button
            small
            icon={revealed ? <EyeOff /> : <Eye />}
            onClick={() => (revealed ? setRevealed(null) : void reveal())}
          >
            {t(revealed ? 'headers.hide' : 'headers.reveal')}
          </Button>
        ) : null}
        <CopyButton text={() => asText(shown.headers)} label={t('headers.copy')} />
      </div>
      {refused ? <Banner tone="error">{refused}</Banner> : null}
      <HeaderList label={t('headers.title')} headers={shown.headers} filters />
      {shown.trailers.length > 0 ? (
        <>
          <h3 className="mx-14 mt-14 mb-2 heading-s">{t('headers.trailers')}</h3>
          <HeaderList label={t('headers.trailers')} headers={shown.trailers} />
        </>
      ) : null}
      <h3 className="mx-14 mt-14 mb-2 heading-s">{t('headers.connection')}</h3>
      <Facts
        facts={[
          [t('headers.remote'), `${detail.remoteAddress}:${detail.remotePort}`],
          [t('headers.version'), `HTTP/${detail.httpVersion}`],
          [t('headers.target'), shown.url],
          [t('headers.targetDecoded'), target],
          [t('headers.received'), format.instant(detail.receivedAt)],
          [t('headers.receiving'), format.duration(detail.receivingUs)],
          [t('headers.size'), size],
          [t('headers.endpoint'), detail.endpoint],
        ]}
      />
    </div>
  )
}

export function AnswerTab({ detail }: { readonly detail: DeliveryDetail }) {
  const { t, format } = useTexts(['detail', 'common'])
  const answered = detail.answer === null ? null : detail.answered
  const by = detail.answeredBy
  const given =
    by?.by === 'target'
      ? t('answer.byTarget', { target: by.target })
      : by && t('answer.byFault', { effect: t(`answer.fault.${by.effect}`) })
  const none = detail.malformed
    ? 'answer.noneMalformed'
    : by?.by === 'fault'
      ? 'answer.noneFault'
      : 'answer.none'
  return (
    <div className="h-full overflow-y-auto pt-6 pb-12 overscroll-contain">
      {answered ? null : <p className="mx-14 my-4 text-fg-3 text-s leading-[1.45]">{t(none)}</p>}
      <Facts
        facts={[
          [t('answer.status'), answered && String(detail.answer)],
          [t('answer.took'), answered && detail.tookUs !== null ? format.duration(detail.tookUs) : null],
          [t('answer.by'), given],
          [t('answer.why'), answered && detail.rejected ? t('answer.rejected') : null],
          [t('answer.why'), answered && detail.malformed && t(`common:malformed.${detail.malformed}`)],
        ]}
      />
      {answered ? (
        <>
          <h3 className="mx-14 mt-14 mb-2 heading-s">{t('headers.title')}</h3>
          <HeaderList label={t('answer.headers')} headers={answered.headers} />
          <h3 className="mx-14 mt-14 mb-2 heading-s">{t('answer.body')}</h3>
          {answered.bodyBase64 === '' ? (
            <p className="mx-14 my-4 text-fg-3 text-s leading-[1.45]">{t('answer.emptyBody')}</p>
          ) : (
            <BodyBox source={givenBody(`${detail.id}/answer`, answered.bodyBase64)} />
          )}
        </>
      ) : null}
    </div>
  )
}

export interface FactsProps {
  /** Facts without a value are left out. */
  readonly facts: readonly (readonly [name: string, value: string | null | undefined])[]
}

export function Facts({ facts }: FactsProps) {
  return (
    <dl className="px-14">
      {facts.map(([name, value]) =>
        value == null ? null : (
          <div
            key={name}
            className={cx(
              'grid grid-cols-[38%_minmax(0,1fr)] py-4 border-b border-line-soft',
              '[&_dt]:pr-10 [&_dt]:text-fg-2 [&_dt]:text-s [&_dd]:m-0',
            )}
          >
            <dt>{name}</dt>
            <dd>
              <Captured text={value} mono />
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}

interface RawTabProps {
  readonly detail: DeliveryDetail
  readonly whole: Whole
  readonly target: Target | null
  readonly findAsked: number
  readonly chosen: BodyView | null
  readonly onChoose: (view: BodyView) => void
}

const NO_FINDINGS: readonly Finding[] = []

type Form = 'decoded' | 'raw'

/** The body as received. With a Content-Encoding the user can switch between decoded text and wire bytes. */
export function RawTab(props: RawTabProps) {
  const { detail } = props
  const { t } = useTexts('detail')
  const [form, setForm] = useState<Form>('decoded')
  const coded = detail.codings.length > 0
  const tools = coded ? (
    <Select<Form>
      label={t('raw.form')}
      hideLabel
      value={form}
      onChange={setForm}
      options={[
        { value: 'decoded', label: t('raw.decoded', { codings: detail.codings.join(', ') }) },
        { value: 'raw', label: t('raw.received') },
      ]}
    />
  ) : null
  if (coded && form === 'raw') return <Received key={detail.id} {...props} tools={tools} />
  return <RawBody {...props} tools={tools} />
}

interface BodyProps extends RawTabProps {
  readonly tools: ReactNode
  readonly findings?: readonly Finding[]
}

function Received(props: BodyProps) {
  const begun = useOpenBody(deliveryBody(props.detail.id, 'raw'))
  if (!begun) return <Loading className="h-120" />
  return <ReceivedBody {...props} begun={begun} />
}

function ReceivedBody({ begun, ...props }: BodyProps & { readonly begun: OpenBody | FailedBody }) {
  const whole = useWhole(begun)
  // Findings point into the decoded text, not into the wire bytes.
  return <RawBody {...props} whole={whole} target={null} findings={NO_FINDINGS} />
}

function RawBody({ detail, whole, findings = detail.findingList, ...shown }: BodyProps) {
  const { t } = useTexts('detail')
  const { body } = whole
  if (!isOpen(body)) {
    return (
      <div className="flex flex-col min-h-0 h-full">
        <div className="flex flex-none flex-wrap items-center gap-4 pt-6 pr-8 pb-6 pl-14 empty:hidden">
          {shown.tools}
        </div>
        <Banner tone="warning" title={t('raw.undecodable')}>
          {body.problem}
        </Banner>
      </div>
    )
  }
  const cut =
    detail.bodyKept < detail.size ? t('raw.cut', { kept: detail.bodyKept, size: detail.size }) : null
  if (body.total === 0) return <EmptyState title={t('event.emptyBody')}>{cut}</EmptyState>
  return (
    <div className="flex flex-col min-h-0 h-full">
      {cut === null ? null : <Banner tone="warning">{cut}</Banner>}
      <PartialNotice whole={whole} />
      <RawView key={body.source.key} {...{ body, findings }} {...shown} />
    </div>
  )
}
