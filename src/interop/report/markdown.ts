import type { Report } from './model.ts'
import { type Fact, type OutlineSection, outline } from './outline.ts'
import { shown } from './words.ts'
import type { ReportWords } from './words-en.ts'

/** GitHub's Markdown, which others read as well. No text of a document can become markup, a link or another cell. */
export function reportMarkdown(report: Report): string {
  const { title, intro, scope, sections, limits, words } = outline(report)
  return [
    `# ${escaped(title)}`,
    escaped(intro),
    facts(scope),
    ...sections.flatMap((one) => section(one, words)),
    `## ${words.headings.limits}`,
    list(limits),
    '',
  ].join('\n\n')
}

function section(one: OutlineSection, words: ReportWords): readonly string[] {
  const { headings, columns } = words
  return [
    `## ${escaped(one.title)}`,
    ...(one.warning === null ? [] : [`**${escaped(one.warning)}**`]),
    facts(one.facts),
    `### ${headings.method}`,
    list(one.method),
    `### ${headings.result}`,
    table(
      [columns.class, columns.documents, columns.meaning],
      one.counts.map(([name, count, meaning]) => [name, String(count), meaning]),
    ),
    ...(one.money.length === 0 ? [] : [`### ${headings.money}`, facts(one.money)]),
    ...(one.missedEvents.length === 0
      ? []
      : [
          `### ${headings.missedEvents}`,
          table(
            [columns.kind, columns.events],
            one.missedEvents.map(([kind, count]) => [kind, String(count)]),
          ),
        ]),
    ...(one.shared.length === 0 ? [] : [`### ${headings.shared}`, facts(one.shared)]),
    `### ${headings.documents}`,
    ...(one.unlisted === null ? [] : [`**${escaped(one.unlisted)}**`]),
    one.documents.length === 0
      ? words.noDocuments
      : table(
          [
            ...[columns.number, columns.documentId, columns.class, columns.issued],
            ...[columns.party, columns.total, columns.missed, columns.known],
          ],
          one.documents.map((document) => [
            document.number,
            document.documentId,
            document.class,
            document.issuedAt,
            document.party,
            document.total,
            document.missed.join('; '),
            document.details.join('; '),
          ]),
        ),
  ]
}

const facts = (all: readonly Fact[]): string =>
  all.map(([name, value]) => `* ${escaped(name)}: ${escaped(value)}`).join('\n')
const list = (texts: readonly string[]): string => texts.map((text) => `* ${escaped(text)}`).join('\n')

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`
  return [line(columns), `|${' --- |'.repeat(columns.length)}`, ...rows.map(line)].join('\n')
}

/**
 * Every mark that any Markdown gives a meaning to gets a backslash, and `<` and `&`, which HTML does, become entities. Addresses are
 * links for GitHub without any mark, so their colon and dot are written as entities, and an empty comment parts those of mail.
 */
const escaped = (text: string): string =>
  shown(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~^$]/g, '\\$&')
    .replace(/:\/\//g, '&#58;//')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}&#46;`)
    .replace(/@/g, '<!-- -->@')
