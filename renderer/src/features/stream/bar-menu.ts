import type { ContextGroups } from '@/shared/actions/context.ts'
import { copyAction, onThis } from '@/shared/actions/made.ts'
import { useRoute } from '@/shared/live/route.ts'
import type { Stretch } from './stretch.ts'

interface BarActs {
  readonly onFilter: (stretch: Stretch) => void
  readonly onShow: (stretch: Stretch) => void
  readonly onGo: (stretch: Stretch) => void
}

export function barMenu(stretch: Stretch, { onFilter, onShow, onGo }: BarActs): ContextGroups {
  const { from, to } = stretch
  const times = [from, to].map((at) => new Date(at).toISOString()).join(' – ')
  return [
    [
      onThis('period', 'on.period', () => onFilter(stretch), { keys: [['Enter']] }),
      onThis('zoom', 'on.zoom', () => onShow(stretch)),
      onThis('first-of', 'on.firstOf', () => onGo(stretch)),
    ],
    [
      onThis('sweep-period', 'on.sweepPeriod', () =>
        useRoute.getState().go('reconcile', `gap/${Math.floor(from)}-${Math.ceil(to)}`),
      ),
    ],
    [copyAction('copy-times', 'on.copyTimes', times)],
  ]
}
