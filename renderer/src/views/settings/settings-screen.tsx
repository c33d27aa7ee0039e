export interface SettingsScreenProps {
  /** `receiver`, `endpoints`, `retention`, `appearance`…: scroll to it and focus its heading; null for the beginning. */
  readonly section: string | null
}

/** Fills its parent and scrolls inside itself. */
export function SettingsScreen({ section }: SettingsScreenProps) {
  return <div>{section}</div>
}
