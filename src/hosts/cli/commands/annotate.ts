import { type Command, InvalidArgumentError } from 'commander'
import { isTag, NOTE_LENGTH, TAG_LENGTH, tagOf } from '#contract/tags.ts'
import { wrongUsage } from '../shared/failures.ts'
import { type CommonOptions, examples, withCommon } from '../shared/options.ts'
import { reachExisting, using } from '../shared/reach.ts'
import type { CommandContext, Terminal } from '../shared/terminal.ts'

interface AnnotateOptions extends CommonOptions {
  readonly note?: string
  readonly tag?: readonly string[]
  readonly untag?: readonly string[]
}

/** `acuse annotate ID…`: what people say of deliveries. */
export function addAnnotate(program: Command, { terminal }: CommandContext): void {
  const annotate = program
    .command('annotate')
    .description('Write a note about deliveries, or tag them. Others find them with has:note and tag:NAME.')
    .argument('<id...>', 'ids, as "acuse events" prints them', ids, [])
    .option('--note <text>', 'the note, in place of one that is there; - reads stdin, "" takes it away')
    .option('--tag <tag>', 'add a tag; may be repeated', tags)
    .option('--untag <tag>', 'take a tag away; may be repeated', tags)
  examples(withCommon(annotate, 'print {"changed": how many}'), [
    ['acuse annotate 42 --note "Asked the accountant"', 'a note'],
    ['acuse annotate 42 43 --tag urgent --untag new', 'tags of two deliveries'],
    ['acuse annotate 42 --note - < why.txt', 'a note from a file'],
  ]).action((list: readonly number[], options: AnnotateOptions) => run(list, options, terminal))
}

async function run(list: readonly number[], options: AnnotateOptions, terminal: Terminal): Promise<void> {
  const { note, tag = [], untag = [] } = options
  if (note === undefined && tag.length === 0 && untag.length === 0)
    throw wrongUsage('Say what to write: --note, --tag or --untag.')
  const text = note === '-' ? (await terminal.readAll()).toString('utf8') : note
  if (text !== undefined && text.length > NOTE_LENGTH)
    throw wrongUsage(`The note has ${text.length} characters; ${NOTE_LENGTH} is the most. Shorten it.`)
  await using(reachExisting(options.data, terminal), async ({ call }) => {
    // A number that was mistyped must not pass in silence.
    for (const id of list) await call('deliveries.get', { id })
    const { changed } = await call('deliveries.annotate', {
      ids: list,
      ...(text === undefined ? {} : { note: text }),
      addTags: tag,
      removeTags: untag,
    })
    if (options.json) await terminal.print(`${JSON.stringify({ changed })}\n`)
    else terminal.say(changed === 0 ? 'It was so already.' : `Deliveries changed: ${changed}.`)
  })
}

function ids(text: string, before: readonly number[]): readonly number[] {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (id < 1) throw new InvalidArgumentError('Give whole numbers from 1.')
  return [...before, id]
}

function tags(text: string, before: readonly string[] = []): readonly string[] {
  const tag = tagOf(text)
  if (!isTag(tag))
    throw new InvalidArgumentError(
      `A tag has 1 to ${TAG_LENGTH} characters, without spaces, commas, quotes, parentheses and "*".`,
    )
  return [...before, tag]
}
