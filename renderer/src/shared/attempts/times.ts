/** How often one delivery is sent at a time, at most (contract: replay.send). */
export const MOST_TIMES = 100

export const isTimes = (times: number | null): times is number =>
  times !== null && times >= 1 && times <= MOST_TIMES
