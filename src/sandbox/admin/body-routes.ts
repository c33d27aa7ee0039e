import { z } from 'zod'
import { kindName, orEmpty, seed, understood } from './reading.ts'
import { type AdminContext, type AdminRoute, ok, shownEvent } from './route.ts'

const asked = z.strictObject({ kind: kindName, seed: seed.optional() })
const edited = z.strictObject({
  kind: kindName,
  body: z.string().refine((text) => text.isWellFormed(), 'holds half of a surrogate pair'),
})

/** For an editor: the body as it would be sent, and sending what became of it. */
export function bodyRoutes({ world, runs }: AdminContext): readonly AdminRoute[] {
  return [
    {
      method: 'post',
      path: '/preview',
      summary: 'Show the body that emit would send now (kind, seed), indented; nothing is kept or sent.',
      handle({ body }) {
        const { kind, seed: own } = understood(asked, orEmpty(body))
        return ok({ body: world.preview(kind, own) })
      },
    },
    {
      method: 'post',
      path: '/send',
      summary:
        'Dispatch this JSON text (kind, body) to the subscriptions of the kind exactly as it stands, whether or not it fits the schema.',
      handle({ body }) {
        const { kind, body: text } = understood(edited, orEmpty(body))
        const event = world.send(kind, text)
        return ok({ run: runs.submit([event]), events: [shownEvent(event)] })
      },
    },
  ]
}
