import { newOutlets, statesToWire } from '@batti/contracts'
import type { BoardType, BoardTypeCode } from '@batti/contracts/board-types'
import { factoryVersion } from '../firmware/firmware-update.ts'
import type { BoardView } from './board-view.ts'
import type { PowerUp } from './power-up-parts.ts'

/** Facts about the hardware, with or without power. */
export type Hardware = Pick<BoardView, 'mac' | 'name' | 'paired' | 'setupUrl' | 'firmware' | 'faults'> & {
  labels: readonly string[]
  modelCode: BoardTypeCode
  model: BoardType
}

/** Builds the view of a board. Without power its relays are open; the stored state shows again when the power is back. */
export function presentBoard(hardware: Hardware, power: PowerUp | null): BoardView {
  const { model, modelCode, labels, ...known } = hardware
  const device = power?.device() ?? null
  const config = power?.record().config ?? null
  const status = power?.status() ?? { phase: 'off' as const, detail: null, notice: null, setupEndsAt: null }
  const outlets = device?.outlets ?? newOutlets(model.outlets)
  return {
    ...known,
    ...status,
    model: modelCode,
    title: model.title,
    hwModel: model.hwModel,
    powered: power !== null,
    outlets: outlets.map(({ kind, on, level }, index) => ({
      index,
      kind,
      on,
      speed: level ?? 0,
      label: labels[index] ?? null
    })),
    ...statesToWire(outlets),
    activeColor: config?.activeColor ?? null,
    timezone: config?.timezone ?? null,
    configRev: config?.rev ?? null,
    schedulesRev: device?.timetable?.rev ?? null,
    deviceId: power?.record().credentials?.deviceId ?? null,
    osVersion: device?.osVersion ?? factoryVersion,
    bootId: device?.bootId ?? null,
    conn: device?.link.conn ?? 0,
    unacknowledged: device?.reports.pending.length ?? 0
  }
}
