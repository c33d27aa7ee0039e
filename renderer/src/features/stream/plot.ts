import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'
import type { Stretch } from './stretch.ts'

export interface PlotLook {
  /** Of the parts of a bar, from the bottom up. */
  readonly colours: readonly string[]
  readonly text: string
  readonly font: string
}
export interface PlotEvents {
  /** Over which bar the pointer is; null for none. */
  hover(index: number | null): void
  /** A range was drawn over bars. */
  chosen(stretch: Stretch): void
  /** A bar was pressed. */
  pressed(index: number): void
  /** A bar was pressed twice. */
  doubled(index: number): void
}

/** From and to where something stands, px from the left. */
interface Covered {
  readonly left: number
  readonly right: number
}

/** Pixels beneath the bars: the band of coverage and the times. */
export const BAND_PX = 5
export const AXIS_PX = 16 + BAND_PX + 5
const TOP_PX = 6
/** Width of the longest time. */
const LABEL_PX = 50

/** Bars over time. It draws on a canvas of its own, when it is told to and not otherwise. */
export class Plot {
  readonly #plot: UPlot
  #stretch: Stretch & { readonly step: number } = { from: 0, to: 1, step: 1 }
  #most = 1
  #covered: Covered | null = null

  constructor(
    box: HTMLElement,
    size: { readonly width: number; readonly height: number },
    look: PlotLook,
    events: PlotEvents,
    timeText: (at: number, step: number) => string,
  ) {
    const bars = UPlot.paths.bars?.({ size: [1, Number.POSITIVE_INFINITY], gap: 1, align: 1 })
    const indexAt = (plot: UPlot, left: number) =>
      Math.floor((plot.posToVal(left, 'x') - this.#stretch.from) / this.#stretch.step)
    this.#plot = new UPlot(
      {
        ...size,
        ms: 1,
        padding: [TOP_PX, 0, 0, 0],
        legend: { show: false },
        cursor: {
          y: false,
          points: { show: false },
          drag: { x: true, y: false, setScale: false, dist: 4 },
        },
        scales: {
          x: { time: true, range: () => [this.#stretch.from, this.#stretch.to] },
          y: { range: () => [0, this.#most] },
        },
        axes: [
          {
            stroke: look.text,
            font: look.font,
            size: AXIS_PX,
            gap: BAND_PX + 6,
            space: 90,
            grid: { show: false },
            ticks: { show: false },
            values: (plot, splits) => {
              const apart = (splits[1] ?? 0) - (splits[0] ?? 0)
              // One that would be cut off, by the edge or by the words of a gap, says nothing.
              // Its own width: the element over it still has the one from before while it is laid out anew.
              const whole = (at: number) => {
                const left = plot.valToPos(at, 'x')
                const [start, end] = [left - LABEL_PX / 2, left + LABEL_PX / 2]
                const under = this.#covered && start < this.#covered.right && end > this.#covered.left
                return start >= 0 && end <= plot.width && !under
              }
              return splits.map((at) => (whole(at) ? timeText(at, apart) : ''))
            },
          },
          { show: false },
        ],
        // The highest sum first: the lower ones are drawn over it.
        series: [
          {},
          ...look.colours.toReversed().map((fill) => ({
            fill,
            width: 0,
            points: { show: false },
            ...(bars ? { paths: bars } : {}),
          })),
        ],
        hooks: {
          setCursor: [
            (plot) =>
              events.hover((plot.cursor.left ?? -1) < 0 ? null : indexAt(plot, plot.cursor.left ?? 0)),
          ],
          setSelect: [
            (plot) => {
              const { left, width } = plot.select
              if (width <= 0) return
              plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
              const { from, to, step } = this.#stretch
              const first = from + Math.max(0, indexAt(plot, left)) * step
              events.chosen({
                from: first,
                to: Math.min(to, from + (indexAt(plot, left + width - 1) + 1) * step),
              })
            },
          ],
        },
      },
      [[0], ...look.colours.map(() => [0])],
      box,
    )
    // A press that moved is the end of a range, of which uPlot tells; one that did not is a bar.
    let pressedAt = 0
    this.#plot.over.addEventListener('mousedown', ({ clientX }) => {
      pressedAt = clientX
    })
    this.#plot.over.addEventListener('click', ({ clientX }) => {
      const left = this.#plot.cursor.left ?? -1
      if (Math.abs(clientX - pressedAt) < 4 && left >= 0) events.pressed(indexAt(this.#plot, left))
    })
    this.#plot.over.addEventListener('dblclick', () => {
      const left = this.#plot.cursor.left ?? -1
      if (left >= 0) events.doubled(indexAt(this.#plot, left))
    })
  }

  /**
   * @param tops sums from the bottom, a list for each part, as `sums` gives them
   * @param covered where other words stand over the times
   */
  draw(
    stretch: Stretch & { readonly step: number },
    tops: readonly number[][],
    most: number,
    covered: Covered | null,
  ): void {
    this.#covered = covered
    this.#stretch = stretch
    this.#most = most
    const times = (tops[0] ?? []).map((_, index) => stretch.from + index * stretch.step)
    this.#plot.setData([times, ...tops.toReversed()])
  }

  resize(width: number, height: number): void {
    this.#plot.setSize({ width, height })
  }

  destroy(): void {
    this.#plot.destroy()
  }
}
