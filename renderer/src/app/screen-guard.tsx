import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { Translation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'

interface Props {
  readonly children: ReactNode
}
interface State {
  readonly error: Error | null
}

/** A defect in one screen must not take the rail, the status bar and the banners with it. */
export class ScreenGuard extends Component<Props, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <Translation ns={['errors', 'common']}>
        {(t) => (
          <EmptyState
            icon={<TriangleAlert />}
            title={t('internal', { message: error.message })}
            actions={<Button onClick={() => this.setState({ error: null })}>{t('common:retry')}</Button>}
          />
        )}
      </Translation>
    )
  }
}
