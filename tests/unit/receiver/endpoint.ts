import { DEFAULT_ANSWER, DEFAULT_ENDPOINT } from '#contract/defaults.ts'
import type { EndpointRule } from '#core/endpoints.ts'

/** The default endpoint with what a test wants otherwise. */
export const endpoint = (part: Partial<EndpointRule> = {}): EndpointRule => ({
  ...DEFAULT_ENDPOINT,
  answer: DEFAULT_ANSWER,
  accepted: [],
  ...part,
})
