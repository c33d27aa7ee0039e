import { parentPort, workerData } from 'node:worker_threads'
import { analyse } from '#core/checks/analyse.ts'
import { Analyst } from '#storage/analyst/analyst.ts'

/** An analyst whose thread ends at a body with the word "poison", as it does out of memory. Posts the number of deliveries of each batch. */
const { paths, poison } = workerData
const analyst = new Analyst(paths, (judged, see) => {
  if ('bytes' in judged.body && Buffer.from(judged.body.bytes).includes(poison)) process.exit(1)
  return analyse(judged, see)
})
for (let batch = analyst.step(); batch; batch = analyst.step()) parentPort?.postMessage(batch.count)
analyst.close()
