import { healthReasons, type DeviceHealth, type HealthReason } from '@batti/contracts'

const weight: Record<HealthReason, number> = {
  silent: 40,
  failing: 20,
  flapping: 20,
  weak: 10,
  outdated: 10,
  'never-seen': 100
}

/** Scores 100 minus the weights of the reasons, at least 0. Reasons are ordered worst first. */
export function scoreHealth(reasons: readonly HealthReason[]): DeviceHealth {
  const ordered = healthReasons.filter((reason) => reasons.includes(reason))
  return {
    score: Math.max(
      0,
      ordered.reduce((score, reason) => score - weight[reason], 100)
    ),
    reasons: ordered
  }
}
