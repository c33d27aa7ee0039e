import { z } from 'zod'
import {
  count,
  defineCommand,
  defineReading,
  endpointName,
  epochMs,
  filter,
  nothing,
  type Of,
  words,
  zone,
} from './params.ts'
import { targetReference } from './replay.ts'
import { ALERT_CAUSES, ALERT_PROBLEMS, ATTEMPT_ERRORS, WEEKDAYS } from './values.ts'

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'give a time of the day, such as 08:00')

/** Working hours by the clocks of a zone. An end at or before the beginning is on the next day. */
const hours = z.strictObject({
  from: timeOfDay,
  to: timeOfDay,
  weekdays: z
    .array(z.enum(WEEKDAYS))
    .min(1, 'give at least one day')
    .max(WEEKDAYS.length)
    .refine((days) => new Set(days).size === days.length, 'give each day once'),
  zone,
})
export type Hours = Of<typeof hours>

/** A message to another system when something is wrong, and one when it is right again. */
export const alert = z.strictObject({
  name: endpointName,
  enabled: z.boolean(),
  cause: z.enum(ALERT_CAUSES),
  /** `invalid`: the deliveries that raise it; `silence`: those that end it. Empty: the usual ones. */
  filter,
  /** `silence`: time without a delivery; `invalid`: time without another one until it is over; `receiver-off`: time until it is raised. */
  minutes: z.int().min(0).max(10_080),
  /** `silence` only: when deliveries are expected; null: always. */
  hours: hours.nullable(),
  /** Where the message is posted; null when a program gets it. */
  target: targetReference.nullable(),
  /** Name of a program in the folder `hooks` of the data folder. It gets the message on stdin. */
  program: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
      'give the name of a file in the folder hooks of the data folder, without a path',
    )
    .nullable(),
})
export type Alert = Of<typeof alert>

/** Why a message did not get through. The window phrases it by code and params. */
const problem = z.strictObject({
  code: z.enum([...ATTEMPT_ERRORS, ...ALERT_PROBLEMS]),
  message: z.string(),
  params: words,
})
export type AlertProblem = Of<typeof problem>

export const openIncident = z.strictObject({
  /** Rises with each incident; the message has it too, so that its receiver can recognise a repeated one. */
  incident: count,
  since: epochMs,
  /** Matching deliveries, or missed documents. */
  count,
  /** `missed` only. */
  connection: z.string().nullable(),
})
export type OpenIncident = Of<typeof openIncident>

export const alertState = z.strictObject({
  alert,
  open: z.array(openIncident),
  /** Messages that are still to be sent. */
  waiting: count,
  /** When the last message got through; null: none yet. */
  lastSentAt: epochMs.nullable(),
  /** Why the last try failed; null after a success. */
  lastFailure: problem.extend({ at: epochMs }).nullable(),
  /** Messages given up after the last try. */
  discarded: count,
})
export type AlertState = Of<typeof alertState>

const sent = z.strictObject({
  /** Null when it got through. */
  problem: problem.nullable(),
  tookMs: count,
})
export type AlertSent = Of<typeof sent>

export const alertCommands = {
  'alerts.list': defineReading(
    'Alerts with their open incidents and their last messages.',
    nothing,
    z.strictObject({ alerts: z.array(alertState) }),
  ),
  'alerts.test': defineCommand(
    'Sends a message of the type "test" at once, also by a disabled alert.',
    z.strictObject({ name: endpointName }),
    sent,
  ),
}
