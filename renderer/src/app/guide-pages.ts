/** Pages of the user guide that the window shows; each is in `docs/guide` in both languages. */
export const GUIDE_PAGES = ['start', 'receive', 'replay', 'reconcile', 'sandbox', 'test-suite'] as const
export type GuidePage = (typeof GUIDE_PAGES)[number]
