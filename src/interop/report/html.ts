import type { Report } from './model.ts'
import { type Block, type Column, outline, type Row } from './outline.ts'
import { shown } from './words.ts'

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
table.narrow { width: auto; } table.documents { table-layout: fixed; } .documents .number { white-space: normal; }
.documents th:nth-child(1) { width: 20%; } .documents th:nth-child(2) { width: 9%; } .documents th:nth-child(3) { width: 10%; }
.documents th:nth-child(4) { width: 15%; } .documents th:nth-child(5) { width: 11%; } .part-1 { color: #4d5766; } td:first-child .part-1 { font: 12px/1.5 ui-monospace, monospace; }
.warning { border-left: 4px solid #b25000; background: #fff5eb; padding: .5rem .75rem; }
@page { margin: 15mm; }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 10pt; } thead { display: table-header-group; } tr { break-inside: avoid; } h2, h3 { break-after: avoid; } }
`

/**
 * A page that stands alone: no script, nothing loaded, and its own policy forbids both, so that a name in a document that was meant as
 * markup could do nothing even if it came through.
 */
export function reportHtml(report: Report): string {
  const { title, language, blocks } = outline(report)
  return `<!doctype html>
<html lang="${language}">
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
${blocks.map(htmlOf).join('\n')}
</body>
</html>
`
}

function htmlOf(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `<h${block.level}>${escaped(block.text)}</h${block.level}>`
    case 'text':
      return `<p class="intro">${escaped(block.text)}</p>`
    case 'warning':
      return `<p class="warning">${escaped(block.text)}</p>`
    case 'facts':
      return inside(
        'dl',
        block.facts.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`),
      )
    case 'list':
      return inside(
        'ul',
        block.texts.map((text) => `<li>${escaped(text)}</li>`),
      )
    case 'table':
      return tableOf(block.columns, block.rows)
  }
}

const inside = (tag: string, lines: readonly string[]): string => `<${tag}>\n${lines.join('\n')}\n</${tag}>`

function tableOf(columns: readonly Column[], rows: readonly Row[]): string {
  const kinds = columns.map(({ number }) => (number ? ' class="number"' : ''))
  const head = columns.map(({ title }, i) => `<th${kinds[i]}>${escaped(title)}</th>`)
  const cell = (parts: Row[number], i: number) => {
    const lines = parts.flatMap((texts, part) =>
      texts.map((text) =>
        parts.length > 1 ? `<div class="part-${part}">${escaped(text)}</div>` : escaped(text),
      ),
    )
    return `<td${kinds[i]}>${lines.join('')}</td>`
  }
  return `<table class="${columns.some(({ parts }) => parts) ? 'documents' : 'narrow'}">
<thead><tr>${head.join('')}</tr></thead>
${inside(
  'tbody',
  rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`),
)}
</table>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => shown(text).replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one)
