import type { DocumentClass } from '#contract/reconcile.ts'
import { CLASSES } from '#contract/values.ts'
import { shown } from '../text.ts'
import type { Report } from './model.ts'
import { type Block, outline, type Row, type Tone, toneOf } from './outline.ts'

const STYLE = `
:root { color-scheme: light; --good: #177345; --bad: #c22f3d; --odd: #8f5b00; --plain: #545b68; --line: #e4e6ea; }
* { box-sizing: border-box; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
body { font: 14px/1.5 "Inter", system-ui, "Segoe UI", sans-serif; color: #1a1d23; background: #fff; max-width: 70rem; margin: 2rem auto; padding: 0 1.5rem; }
header { display: flex; align-items: flex-end; gap: 1rem; padding-bottom: .9rem; margin-bottom: 1rem; border-bottom: 3px solid #3a5bd9; }
header div { flex: 1; } header b { font-size: 1.05rem; letter-spacing: .02em; color: #3a5bd9; } header p { color: #545b68; margin: 0; }
h1 { font-size: 1.55rem; line-height: 1.25; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; } h3 { font-size: .95rem; margin: 1.4rem 0 .35rem; }
p { margin: .35rem 0; } .intro { color: #545b68; } ul { margin: .35rem 0; padding-left: 1.2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.25rem; margin: .75rem 0; }
dt { color: #545b68; } dd { margin: 0; overflow-wrap: anywhere; }
.figures { display: flex; flex-wrap: wrap; gap: .6rem; margin: .75rem 0; padding: 0; list-style: none; }
.figures li { flex: 1 1 auto; padding: .6rem .8rem; border: 1px solid var(--line); border-top: 3px solid var(--tone, #cfd3da); border-radius: 6px; }
.figures b { display: block; font-size: 1.35rem; line-height: 1.25; color: var(--tone, inherit); font-variant-numeric: tabular-nums; white-space: nowrap; } .figures span { color: #545b68; font-size: .85rem; }
.good { --tone: var(--good); } .bad { --tone: var(--bad); } .odd { --tone: var(--odd); }
svg { display: block; width: 100%; height: 120px; margin: .5rem 0 1rem; } svg .good { fill: #97bfa9; } svg .done { fill: var(--good); } svg .bad { fill: var(--bad); } svg .odd { fill: #c98a1b; } svg .plain { fill: #cfd3da; }
svg text { font-size: 10px; fill: #545b68; text-anchor: middle; } svg line { stroke: #cfd3da; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .93em; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 600; color: #545b68; border-bottom: 1.5px solid #cfd3da; } .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.narrow { width: auto; } .narrow .number + td, .narrow .number + th { padding-left: 1.5rem; } .narrow tr td:first-child, .documents tr td:nth-child(2) { color: var(--tone, inherit); font-weight: 600; }
.documents { table-layout: fixed; } .documents th:nth-child(1) { width: 17%; } .documents th:nth-child(2) { width: 10%; } .documents th:nth-child(3) { width: 11%; }
.documents th:nth-child(4) { width: 14%; } .documents th:nth-child(5) { width: 13%; } .part-1 { color: #545b68; } td:first-child .part-1 { font: 11px/1.45 ui-monospace, monospace; }
.warning { border-left: 4px solid var(--odd); background: #fbf0dc; padding: .5rem .75rem; }
@page { size: A4; margin: 16mm 14mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); font: 9pt system-ui, sans-serif; color: #545b68; } @bottom-left { content: "Acuse"; font: 9pt system-ui, sans-serif; color: #545b68; } }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 9.5pt; } thead { display: table-header-group; } tr, .figures, svg { break-inside: avoid; } h2, h3 { break-after: avoid; } }
`

/** The page has no script and loads nothing, and its policy forbids both, so injected markup could do no harm. */
export function reportHtml(report: Report): string {
  const { title, subtitle, language, blocks } = outline(report)
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
<header><div><h1>${escaped(title)}</h1><p>${escaped(subtitle)}</p></div><b>Acuse</b></header>
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
      return tableOf(block)
    case 'figures':
      return `<ul class="figures">${block.figures.map(({ value, label, tone }) => `<li class="${tone}"><b>${escaped(value)}</b><span>${escaped(label)}</span></li>`).join('')}</ul>`
    case 'days':
      return `<h3>${escaped(block.title)}</h3>\n${chartOf(block.days, block.title)}`
  }
}

const inside = (tag: string, lines: readonly string[]): string => `<${tag}>\n${lines.join('\n')}\n</${tag}>`

const MOST_BARS = 62
const WIDE = 1_000
const TALL = 100

/** Bar chart of documents per issue date, from matched at the bottom to missing on top. The table of classes has the sums. */
function chartOf(days: Extract<Block, { readonly type: 'days' }>['days'], title: string): string {
  const each = Math.ceil(days.length / MOST_BARS)
  const bars = Array.from({ length: Math.ceil(days.length / each) }, (_, at) => {
    const some = days.slice(at * each, (at + 1) * each)
    const sum = (name: DocumentClass) => some.reduce((total, { counts }) => total + counts[name], 0)
    const others = CLASSES.filter((name) => toneOf(name) === 'plain')
    const layers = [
      ['good', sum('matched')],
      ['done', sum('recovered')],
      ['plain', others.reduce((total, name) => total + sum(name), 0)],
      ['odd', sum('differs')],
      ['bad', sum('missing')],
    ] as const
    return { day: some[0]?.day ?? '', layers, total: layers.reduce((total, [, count]) => total + count, 0) }
  })
  const most = Math.max(1, ...bars.map(({ total }) => total))
  const step = Math.min(40, WIDE / bars.length)
  const every = Math.ceil(36 / step)
  const drawn = bars.map(({ day, layers }, at) => {
    let y = TALL
    const rects = layers.map(([tone, count]) => {
      const tall = count === 0 ? 0 : Math.max(2, (count / most) * (TALL - 4))
      y -= tall
      return count === 0
        ? ''
        : `<rect class="${tone}" x="${(at * step + step * 0.1).toFixed(1)}" y="${y.toFixed(1)}" width="${(step * 0.8).toFixed(1)}" height="${tall.toFixed(1)}"/>`
    })
    const label = `<text x="${((at + 0.5) * step).toFixed(1)}" y="${TALL + 14}">${escaped(day.slice(5).split('-').reverse().join('/'))}</text>`
    return rects.join('') + (at % every === 0 ? label : '')
  })
  return `<svg role="img" aria-label="${escaped(title)}" viewBox="0 0 ${WIDE} ${TALL + 20}" preserveAspectRatio="xMinYMid meet"><line x1="0" y1="${TALL}" x2="${WIDE}" y2="${TALL}"/>${drawn.join('')}</svg>`
}

function tableOf({ columns, rows, tones }: Extract<Block, { readonly type: 'table' }>): string {
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
  rows.map((row, at) => `<tr${toned(tones?.[at])}>${row.map(cell).join('')}</tr>`),
)}
</table>`
}

const toned = (tone: Tone = 'plain'): string => (tone === 'plain' ? '' : ` class="${tone}"`)

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => shown(text).replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one)
