import type { Report } from './model.ts'
import { type Fact, type OutlineSection, outline } from './outline.ts'
import { shown } from './shown.ts'

/** GitHub's Markdown, which others read as well. No text of a document can become markup, a link or another cell. */
export function reportMarkdown(report: Report): string {
  const { title, intro, scope, sections, limits } = outline(report)
  return [
    `# ${escaped(title)}`,
    escaped(intro),
    facts(scope),
    ...sections.flatMap(section),
    '## What cannot be known',
    list(limits),
    '',
  ].join('\n\n')
}

function section(one: OutlineSection): readonly string[] {
  return [
    `## ${escaped(one.title)}`,
    ...(one.warning === null ? [] : [`**${escaped(one.warning)}**`]),
    facts(one.facts),
    '### Method',
    list(one.method),
    '### Result',
    table(
      ['Class', 'Documents', 'Meaning'],
      one.counts.map(([name, count, meaning]) => [name, String(count), meaning]),
    ),
    ...(one.money.length === 0 ? [] : ['### Money at stake', facts(one.money)]),
    ...(one.missedEvents.length === 0
      ? []
      : [
          '### Missed events',
          table(
            ['Kind', 'Events'],
            one.missedEvents.map(([kind, count]) => [kind, String(count)]),
          ),
        ]),
    '### Documents other than matched',
    one.documents.length === 0
      ? 'None.'
      : table(
          ['Number', 'Document id', 'Class', 'Issued', 'Party', 'Total', 'Missed', 'What is known'],
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
