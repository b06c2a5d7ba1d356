import { compareVersions, type FleetRecord } from '@batti/contracts'
import { useFleet } from '#web/lib/records/use-fleet.ts'

interface Choice {
  value: string
  label: string
}
export interface Models {
  models: readonly Choice[]
  /** Newest first. */
  versions: readonly Choice[]
}

const asChoice = (value: string): Choice => ({ value, label: value })

/** Returns the models and versions in use. */
export function modelsOf(versions: FleetRecord['versions']): Models {
  const distinct = (values: readonly string[]) => [...new Set(values)].filter((value) => value !== '')
  return {
    models: distinct(versions.map(({ hwModel }) => hwModel))
      .toSorted()
      .map(asChoice),
    versions: distinct(versions.map(({ osVersion }) => osVersion))
      .toSorted((a, b) => compareVersions(b, a))
      .map(asChoice)
  }
}

const none: FleetRecord['versions'] = []

export const useModels = (): Models => modelsOf(useFleet().data?.versions ?? none)
