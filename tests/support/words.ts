/** A list written as text: its words, over one line or several. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/)
