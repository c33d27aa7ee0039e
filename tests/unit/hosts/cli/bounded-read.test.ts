import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readBounded } from '#hosts/cli/shared/terminal.ts'

/** As /dev/zero and `yes` are. */
function* endless() {
  for (;;) yield Buffer.alloc(65_536)
}

test('what never ends is left where it is more than anybody means, with a code that has words', async () => {
  await expect(readBounded(Readable.from(endless()), 1_000_000)).rejects.toMatchObject({
    code: 'ERR_FS_FILE_TOO_LARGE',
  })
  const whole = Buffer.alloc(1_000_000, 7)
  expect((await readBounded(Readable.from([whole]), 1_000_000)).equals(whole)).toBe(true)
})
