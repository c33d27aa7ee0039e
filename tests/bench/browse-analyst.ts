import { parentPort } from 'node:worker_threads'
import { analyse } from '#core/checks/analyse.ts'
import { Analyst } from '#storage/analyst/analyst.ts'
import { storeFiles } from '#storage/disk/files.ts'

export interface AnalystOrder {
  readonly folder?: string
  /** There are deliveries up to this id. */
  readonly upto?: number
  /** Whether to say when that is done. */
  readonly tell?: boolean
  readonly end?: true
}

/* The analyst without its rests: they leave the processor to intake, and there is none here. */
let analyst: Analyst | undefined

parentPort?.on('message', ({ folder, upto, tell, end }: AnalystOrder) => {
  if (folder !== undefined) {
    const { captured, derived } = storeFiles(folder)
    analyst = new Analyst({ captured, derived, rebuild: false }, analyse)
    analyst.hide(['x-webhook-secret'])
  }
  while (analyst && upto !== undefined && analyst.upto < upto && analyst.step());
  if (tell) parentPort?.postMessage('reached')
  if (!end) return
  analyst?.idle()
  analyst?.close()
  parentPort?.close()
})
