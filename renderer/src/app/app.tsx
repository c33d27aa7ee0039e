import { Suspense, useEffect } from 'react'
import { late } from '@/shared/i18n/late.ts'
import { noteFirstDraw } from '@/shared/live/first-draw.ts'
import type { ScreenName } from '@/shared/live/route.ts'
import { aloneId, useRoute } from '@/shared/live/route.ts'
import styles from './app.module.css'
import { Banners } from './banners.tsx'
import { Connecting, DeliveryLayers, Over, Tips, Undoing } from './layers.tsx'
import { screenDrawn } from './perform.ts'
import { Rail } from './rail.tsx'
import { routeNamed } from './routes.tsx'
import { ScreenGuard } from './screen-guard.tsx'
import { StatusBar } from './status-bar.tsx'
import { useActionKeys } from './use-action-keys.ts'
import { useFileDrop } from './use-file-drop.ts'

const DeliveryWindow = late(
  ['detail'],
  async () => (await import('@/features/delivery/delivery-window.tsx')).DeliveryWindow,
)

/** A window of one delivery: no way to other screens, no list. */
function Alone({ id }: { readonly id: number }) {
  useActionKeys()
  return (
    <div className={styles.alone}>
      <Banners />
      <main className={styles.screen}>
        <ScreenGuard>
          <Suspense fallback={null}>
            <DeliveryWindow id={id} />
          </Suspense>
        </ScreenGuard>
        <DeliveryLayers />
      </main>
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
  // The Stream tells it itself, when its first rows are there.
  useEffect(() => {
    if (elsewhere) noteFirstDraw()
  }, [elsewhere])
  return alone === null ? <Whole screen={screen} section={section} /> : <Alone id={alone} />
}

/** Stands beside a screen, and so is drawn when the code of the screen has come. */
function Drawn({ name }: { readonly name: ScreenName }) {
  useEffect(() => {
    screenDrawn(name)
    return () => screenDrawn(null)
  }, [name])
  return null
}

function Whole({ screen, section }: { readonly screen: string; readonly section: string | null }) {
  const { name, Screen } = routeNamed(screen)
  const dropping = useFileDrop()
  useActionKeys()
  return (
    <div className={styles.app}>
      <Rail />
      <div className={styles.middle}>
        <Banners />
        <main className={styles.screen}>
          <ScreenGuard key={name}>
            <Suspense fallback={null}>
              <Screen section={section} />
              <Drawn name={name} />
            </Suspense>
          </ScreenGuard>
          <DeliveryLayers />
          <Connecting />
        </main>
      </div>
      <StatusBar />
      <Over />
      <Undoing />
      <Tips />
      {dropping ? <div className={styles.dropping} /> : null}
    </div>
  )
}
