import type { DeliveryRow } from '#contract/delivery.ts'
import { REPLAY_HEADER } from '#contract/values.ts'
import { analyse } from '#core/checks/analyse.ts'
import type { Analysis } from '#core/checks/analysis.ts'
import type { FaultCandidate } from '#core/faults.ts'
import type { Opened } from '#core/filter/opened.ts'
import { scanJson } from '#core/json/scan.ts'
import type { NewDelivery } from '#core/ports.ts'

/**
 * A stored delivery as fault rules look at it. It is judged here only as far as it is plain and in memory: undoing codings and reading
 * long bodies would hold up every other answer, so of those only the raw facts are known.
 * @param id 0 for one that has none yet
 */
export function candidateOf(delivery: NewDelivery, id: number): FaultCandidate {
  return {
    endpoint: delivery.endpoint,
    row: (judged) => rowOf(delivery, id, judged ? analysisOf(delivery) : null),
    opened: () => openedOf(delivery),
  }
}

function openedOf({ url, headers, body }: NewDelivery): Opened {
  const plain = body instanceof Uint8Array && !isCoded(headers)
  let text: string | null | undefined
  const read = (): string | null => {
    text ??= plain ? new TextDecoder().decode(body) : null
    return text
  }
  return {
    url,
    headers: () => headers,
    text: read,
    json() {
      const tree = scanJson(read() ?? '')
      return 'problem' in tree ? null : tree
    },
    findings: () => [],
  }
}

function rowOf(delivery: NewDelivery, id: number, analysis: Analysis | null): DeliveryRow {
  const { receivedAt, endpoint, method, url, rejected, malformed, headers } = delivery
  return {
    ...{ id, receivedAt, endpoint, method, url, rejected, malformed },
    size: delivery.bodySize,
    answer: delivery.answer?.status ?? null,
    tookUs: null,
    event: analysis?.event ?? null,
    kind: analysis?.kind ?? null,
    group: analysis?.group ?? null,
    documentId: analysis?.documentId ?? null,
    number: analysis?.number ?? null,
    statusId: analysis?.statusId ?? null,
    timestamp: analysis?.timestamp?.text ?? null,
    verdict: analysis?.verdict ?? null,
    findings: analysis?.findingCount ?? 0,
    marks: headerOf(headers, REPLAY_HEADER) === null ? [] : ['replay'],
    attempts: 0,
    note: false,
    tags: [],
  }
}

function analysisOf({ method, headers, body }: NewDelivery): Analysis | null {
  if (!(body instanceof Uint8Array) || isCoded(headers)) return null
  return analyse({ method, contentType: headerOf(headers, 'Content-Type'), body: { bytes: body } })
}

function isCoded(headers: readonly string[]): boolean {
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (isNamed(headers[i], 'Content-Encoding') && !/^[\s,]*(?:identity[\s,]*)*$/i.test(headers[i + 1] ?? ''))
      return true
  return false
}

function headerOf(headers: readonly string[], name: string): string | null {
  for (let i = 0; i + 1 < headers.length; i += 2) if (isNamed(headers[i], name)) return headers[i + 1] ?? null
  return null
}

const isNamed = (header: string | undefined, name: string) => header?.toLowerCase() === name.toLowerCase()
