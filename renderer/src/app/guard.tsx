import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { Translation } from 'react-i18next'
import { asError } from '#contract/errors.ts'
import { Button } from '@/shared/components/button.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'

interface State {
  readonly error: Error | null
}

export interface GuardProps {
  readonly children: ReactNode
  /** Around the whole window, which only a reload can bring back. */
  readonly whole?: boolean
}

/** Shows an error of its children in their place, with a way to draw them again. */
export class Guard extends Component<GuardProps, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error: asError(error) }
  }

  override render(): ReactNode {
    const { error } = this.state
    const { children, whole } = this.props
    if (!error) return children
    const again = () => (whole ? location.reload() : this.setState({ error: null }))
    return (
      <Translation ns={['errors', 'common']}>
        {(t) => (
          <EmptyState
            icon={<TriangleAlert />}
            title={t('internal', { message: error.message })}
            actions={<Button onClick={again}>{t(whole ? 'common:reload' : 'common:retry')}</Button>}
          />
        )}
      </Translation>
    )
  }
}
