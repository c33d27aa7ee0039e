import type { ReactNode } from 'react'

export interface DetailPaneProps {
  /** The delivery to show; null shows that none is selected. */
  readonly id: number | null
  /** Buttons for the end of the header (dock side, close): the stream's business, the pane only places them. */
  readonly actions?: ReactNode
}

/** Everything about one delivery. Fills its parent, scrolls inside itself, follows language and theme. */
export function DetailPane({ id, actions }: DetailPaneProps) {
  return (
    <div>
      {id}
      {actions}
    </div>
  )
}
