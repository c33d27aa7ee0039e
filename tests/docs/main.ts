import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES } from './pages.ts'

for (const [place, made] of Object.entries(PAGES))
  writeFileSync(join(import.meta.dirname, '../../docs', place), made())
