import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { commandOf } from './parts/process-table.ts'

/**
 * Removes what killed processes left half-made in `folder`. `draft` matches the name of a draft, and captures the id of the
 * process that makes it.
 */
export function removeLeftDrafts(folder: string, draft: RegExp): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const maker = draft.exec(name)?.[1]
    if (maker !== undefined && commandOf(Number(maker)) === null)
      rmSync(join(folder, name), { recursive: true, force: true })
  }
}
