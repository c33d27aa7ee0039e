import { expect, it } from 'vitest'
import type { Language } from '#catalog/text.ts'
import { attachFromClipboard } from '../../../src/main/attach.ts'

const LINK = `http://127.0.0.1:9/#token=${'A'.repeat(43)}`

/** Runs the menu item on a clipboard. @returns the messages, and whether the clipboard was cleared */
async function attaching(copied: string, answer: number, language: Language = 'en') {
  const asked: string[] = []
  let cleared = false
  await attachFromClipboard({
    version: '1.0.0',
    language: () => language,
    clipboard: {
      readText: async () => copied,
      clear() {
        cleared = true
      },
    },
    async ask({ message, detail }) {
      asked.push(`${message} ${detail}`)
      return answer
    },
    open: () => expect.fail('nothing answers there'),
  })
  return { asked, cleared }
}

it('attaching from the clipboard: says why a link over a network in the clear does not do', async () => {
  const { asked, cleared } = await attaching(LINK.replace('127.0.0.1', 'acuse.example.com'), 0)
  expect([asked, cleared]).toEqual([[expect.stringContaining('Give an HTTPS address')], false])
})
it('attaching from the clipboard: sends nothing before the user agrees to the origin', async () => {
  const { asked, cleared } = await attaching(LINK, 1)
  expect([asked, cleared]).toEqual([[expect.stringContaining('http://127.0.0.1:9?')], false])
})
it.each([
  ['en', 'cannot be reached'],
  ['es', 'No se puede acceder a http://127.0.0.1:9'],
] as const)(
  'attaching from the clipboard: says in the language of the app (%s) why it failed',
  async (language, why) => {
    const { asked, cleared } = await attaching(LINK, 0, language)
    expect([asked.at(-1), cleared]).toEqual([expect.stringContaining(why), true])
    expect(asked.join()).not.toContain('token')
  },
)
