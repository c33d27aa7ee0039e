import type { Report } from './model.ts'
import { type Fact, type OutlineDocument, type OutlineSection, outline } from './outline.ts'
import { shown } from './words.ts'
import type { ReportWords } from './words-en.ts'

const STYLE = `
:root { color-scheme: light; }
body { font: 14px/1.5 system-ui, sans-serif; color: #1a1f26; background: #fff; max-width: 70rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.25rem 0 .35rem; }
p { margin: .35rem 0; } .intro { color: #4d5766; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.25rem; margin: .75rem 0; }
dt { color: #4d5766; } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid #dde2e8; overflow-wrap: anywhere; }
th { font-weight: 600; background: #f4f6f8; } .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.id { font: 12px/1.5 ui-monospace, monospace; color: #4d5766; } table.narrow { width: auto; } table.documents { table-layout: fixed; } .documents .number { white-space: normal; }
.documents th:nth-child(1) { width: 20%; } .documents th:nth-child(2) { width: 9%; } .documents th:nth-child(3) { width: 10%; }
.documents th:nth-child(4) { width: 15%; } .documents th:nth-child(5) { width: 11%; } .details { color: #4d5766; }
.warning { border-left: 4px solid #b25000; background: #fff5eb; padding: .5rem .75rem; }
@page { margin: 15mm; }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 10pt; } thead { display: table-header-group; } tr { break-inside: avoid; } h2, h3 { break-after: avoid; } }
`

/**
 * A page that stands alone: no script, nothing loaded, and its own policy forbids both, so that a name in a document that was meant as
 * markup could do nothing even if it came through.
 */
export function reportHtml(report: Report): string {
  const { title, intro, scope, sections, limits, words } = outline(report)
  return `<!doctype html>
<html lang="${words.lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p class="intro">${escaped(intro)}</p>
${facts(scope)}
${sections.map((one) => section(one, words)).join('\n')}
<h2>${escaped(words.headings.limits)}</h2>
${list(limits)}
</body>
</html>
`
}

function section(one: OutlineSection, words: ReportWords): string {
  const {
    title,
    warning,
    facts: about,
    method,
    counts,
    money,
    missedEvents,
    shared,
    documents,
    unlisted,
  } = one
  const { headings, columns } = words
  return `<h2>${escaped(title)}</h2>
${warning === null ? '' : `<p class="warning">${escaped(warning)}</p>`}
${facts(about)}
<h3>${escaped(headings.method)}</h3>
${list(method)}
<h3>${escaped(headings.result)}</h3>
${table(
  [columns.class, `#${columns.documents}`, columns.meaning],
  counts.map(([name, count, meaning]) => [name, String(count), meaning]),
)}
${money.length === 0 ? '' : `<h3>${escaped(headings.money)}</h3>\n${facts(money)}`}
${
  missedEvents.length === 0
    ? ''
    : `<h3>${escaped(headings.missedEvents)}</h3>\n${table(
        [columns.kind, `#${columns.events}`],
        missedEvents.map(([kind, count]) => [kind, String(count)]),
      )}`
}
${shared.length === 0 ? '' : `<h3>${escaped(headings.shared)}</h3>\n${facts(shared)}`}
<h3>${escaped(headings.documents)}</h3>
${unlisted === null ? '' : `<p class="warning">${escaped(unlisted)}</p>`}
${documents.length === 0 ? `<p>${escaped(words.noDocuments)}</p>` : documentTable(documents, words)}`
}

const documentTable = (
  documents: readonly OutlineDocument[],
  { columns }: ReportWords,
): string => `<table class="documents">
<thead><tr>${[columns.document, columns.class, columns.issued, columns.party].map(headCell).join('')}<th class="number">${escaped(columns.total)}</th>${headCell(columns.missedAndKnown)}</tr></thead>
<tbody>
${documents.map(documentRow).join('\n')}
</tbody>
</table>`

const headCell = (text: string): string => `<th>${escaped(text)}</th>`

function documentRow(one: OutlineDocument): string {
  const missed = one.missed.map((text) => `<div>${escaped(text)}</div>`).join('')
  const details = one.details.map((text) => `<div class="details">${escaped(text)}</div>`).join('')
  return `<tr><td>${escaped(one.number)}<div class="id">${escaped(one.documentId)}</div></td><td>${escaped(one.class)}</td><td>${escaped(one.issuedAt)}</td><td>${escaped(one.party)}</td><td class="number">${escaped(one.total)}</td><td>${missed}${details}</td></tr>`
}

/** A name that begins with # is of a column of numbers. */
function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const kind = columns.map((name) => (name.startsWith('#') ? ' class="number"' : ''))
  const cells = (tag: 'th' | 'td', texts: readonly string[]) =>
    texts.map((text, i) => `<${tag}${kind[i] ?? ''}>${escaped(text)}</${tag}>`).join('')
  const head = cells(
    'th',
    columns.map((name) => name.replace(/^#/, '')),
  )
  return `<table class="narrow">
<thead><tr>${head}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')}
</tbody>
</table>`
}

const facts = (all: readonly Fact[]): string =>
  `<dl>\n${all.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('\n')}\n</dl>`

const list = (texts: readonly string[]): string =>
  `<ul>\n${texts.map((text) => `<li>${escaped(text)}</li>`).join('\n')}\n</ul>`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => shown(text).replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one)
