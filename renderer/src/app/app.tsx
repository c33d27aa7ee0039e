import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode, Suspense, useEffect } from 'react'
import { Translation } from 'react-i18next'
import { asError } from '#contract/errors.ts'
import { Button } from '@/shared/components/button.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { noteFirstDraw } from '@/shared/components/late-popup.tsx'
import { lateView } from '@/shared/i18n/texts.ts'
import { aloneId, type ScreenName, useRoute } from '@/shared/live/route.ts'
import { Banners } from './banners.tsx'
import { Dropping, Layers, Over, Tips, Undoing } from './layers.tsx'
import { screenDrawn } from './perform.ts'
import { Rail } from './rail.tsx'
import { routeNamed } from './routes.tsx'
import { StatusBar } from './status-bar.tsx'
import { useActionKeys } from './use-action-keys.ts'

interface State {
  readonly error: Error | null
}

/** An error in one screen must not remove the rail, the status bar and the banners. */
class ScreenGuard extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error: asError(error) }
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

const DeliveryWindow = lateView(
  ['detail'],
  async () => (await import('@/features/delivery/delivery-window.tsx')).DeliveryWindow,
)

/** A window of one delivery: no way to other screens, no list. */
function Alone({ id }: { readonly id: number }) {
  useActionKeys()
  return (
    <div className="grid grid-rows-[auto_minmax(0,1fr)_auto] h-full">
      <Banners />
      <main className="min-w-0 min-h-0 overflow-hidden">
        <ScreenGuard>
          <DeliveryWindow id={id} />
        </ScreenGuard>
        <Layers />
      </main>
      <div id="notices" />
      <Over />
      <Undoing />
      <Tips />
    </div>
  )
}

export function App() {
  const { screen, section } = useRoute()
  const alone = aloneId({ screen, section })
  const elsewhere = alone !== null || routeNamed(screen).name !== 'stream'
  // The Stream reports it itself, after its first rows.
  useEffect(() => {
    if (elsewhere) noteFirstDraw()
  }, [elsewhere])
  return alone === null ? <Whole screen={screen} section={section} /> : <Alone id={alone} />
}

/** Rendered beside a screen, so its effect runs once the screen's code is loaded. */
function Drawn({ name }: { readonly name: ScreenName }) {
  useEffect(() => {
    screenDrawn(name)
    return () => screenDrawn(null)
  }, [name])
  return null
}

function Whole({ screen, section }: { readonly screen: string; readonly section: string | null }) {
  const { name, Screen } = routeNamed(screen)
  useActionKeys()
  return (
    <div className="grid grid-rows-[minmax(0,1fr)_auto_auto] grid-cols-[var(--rail)_minmax(0,1fr)] h-full">
      <Rail />
      <div className="grid grid-rows-[auto_minmax(0,1fr)] min-w-0 min-h-0">
        <Banners />
        <main className="min-w-0 min-h-0 overflow-hidden">
          <ScreenGuard key={name}>
            <Suspense fallback={null}>
              <Screen section={section} />
              <Drawn name={name} />
            </Suspense>
          </ScreenGuard>
          <Layers />
        </main>
      </div>
      <div id="notices" className="col-span-full min-w-0" />
      <StatusBar />
      <Over />
      <Undoing />
      <Tips />
      <Dropping />
    </div>
  )
}
