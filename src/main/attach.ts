import { filled, type Language } from '#catalog/text.ts'
import { refusalSentence, toRefusal } from '#contract/errors.ts'
import spanish from '#contract/refusals-es.json' with { type: 'json' }
import { attachTo, type Remote, readStartLink } from '#hosts/remote.ts'
import { hostWords } from './words.ts'

export interface AttachParts {
  readonly version: string
  language(): Language
  readonly clipboard: { readText(): Promise<string>; clear(): void }
  /** Shows a message and waits for a button. @returns its position */
  ask(message: {
    readonly message: string
    readonly detail: string
    readonly buttons: string[]
  }): Promise<number>
  open(remote: Remote): void
}

/**
 * Attaches to the start link in the clipboard, once the user agrees to its origin. The link passes through no page, and leaves the
 * clipboard with its use.
 */
export async function attachFromClipboard({ clipboard, ...parts }: AttachParts): Promise<void> {
  const language = parts.language()
  const words = hostWords(language).attach
  try {
    const link = readStartLink(await clipboard.readText())
    const message = filled(words.ask, { origin: link.origin })
    const answer = await parts.ask({ message, detail: words.meaning, buttons: [words.attach, words.cancel] })
    if (answer !== 0) return
    clipboard.clear()
    parts.open(await attachTo(link, parts.version))
  } catch (error) {
    const { code, message, details } = toRefusal(error)
    const noLink = details?.why === 'no-start-link'
    const reason = (language === 'es' && refusalSentence({ code, details }, spanish)) || message
    await parts.ask({
      message: noLink ? words.how : words.failed,
      detail: noLink ? words.howText : reason,
      buttons: [words.close],
    })
  }
}
