/** Heights in px, as the style sheet has them. */
export const ROW_PX = 28
export const HEADER_PX = 26
