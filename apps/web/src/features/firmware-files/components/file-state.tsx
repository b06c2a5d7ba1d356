import type { FirmwareState } from '@batti/contracts'
import { Badge } from '#web/ui/badge.tsx'
import { T } from '#web/ui/text.tsx'

const tones = { draft: 'muted', released: 'ok', withdrawn: 'warn' } as const satisfies Record<FirmwareState, string>

/** Shows whether boards are offered a file. */
export function FileState({ state }: { state: FirmwareState }) {
  return (
    <Badge tone={tones[state]} frame="none" hasDot className="text-14 font-normal">
      <T id={`files.state.${state}`} />
    </Badge>
  )
}
